#include <algorithm>
#include <charconv>
#include <optional>
#include <ostream>
#include <sstream>
#include <utility>

#include "config/error.h"
#include "config/filter_catalog.h"
#include "config/help_text.h"
#include "config/nearest.h"
#include "config/printable.h"
#include "config/secrets.h"
#include "config/settings.h"
#include "config/text.h"
#include "config/toml_guard.h"
#include "config/toml_source.h"
#include "config/toml_text.h"

namespace glint {
namespace {

[[noreturn]] void refuseUnknown(std::string_view key, std::string_view where) {
  std::vector<std::string> keys;
  for (const SettingInfo& setting : listSettings(Settings())) keys.push_back(setting.key);
  constexpr size_t kShown = 200;  // bytes
  throw UsageError(fmt::format("{}: there is no setting '{}'{} (`glint settings` lists all)", where,
                               shortened(key, kShown), didYouMean(key, keys)));
}

/// The key of a setting of a single camera. "camera.1.exposure" is the key "camera.exposure" of
/// camera 1.
struct OfOneCamera {
  int camera;
  std::string key;
};
std::optional<OfOneCamera> ofOneCamera(std::string_view key) {
  constexpr std::string_view kBegin = "camera.";
  constexpr int kMostCameras = 1000;
  if (!key.starts_with(kBegin)) return std::nullopt;
  int camera = -1;
  const char* const end = key.data() + key.size();
  const auto [rest, error] = std::from_chars(key.data() + kBegin.size(), end, camera);
  if (error != std::errc() || rest == end || *rest != '.' || camera < 0 || camera >= kMostCameras)
    return std::nullopt;
  return OfOneCamera{camera, std::string(kBegin) + std::string(rest + 1, end)};
}

/// The key of the id, which only single cameras have.
constexpr std::string_view kCameraId = "camera.id";

std::string idFrom(std::string_view key, const toml::node& node, std::string_view where) {
  if (const auto id = node.value_exact<std::string>()) return fromUtf8(*id);
  throw UsageError(fmt::format("{}: '{}' must be a string", where, key));
}

void setFromNode(Settings& settings, std::string_view key, const toml::node& node,
                 std::string_view where) {
  if (const auto one = ofOneCamera(key)) {
    Settings single;
    const auto known = settings.cameras.find(one->camera);
    if (known != settings.cameras.end()) single.camera = known->second;
    if (one->key == kCameraId)
      single.camera.id = idFrom(key, node, where);
    else
      setFromNode(single, one->key, node, where);
    settings.cameras[one->camera] = single.camera;
    return;
  }
  bool known = false;
  describe(settings, [&](const auto& setting) {
    if (setting.key != key) return;
    known = true;
    if (parse(node, setting.value, setting.range)) return;
    std::ostringstream given;
    node.visit([&](const auto& value) { given << value; });
    constexpr size_t kShown = 200;  // bytes
    throw UsageError(fmt::format("{}: '{}' cannot be {}; allowed is {}", where, key,
                                 shortened(given.str(), kShown),
                                 allowed(setting.value, setting.range, setting.unit)));
  });
  if (!known) refuseUnknown(key, where);
}

/// Sets the parameter of a filter. `key` is "ID.PARAMETER", without the preceding "filter.".
void setOfFilter(Settings& settings, std::string_view key, std::string_view text,
                 std::string_view where) {
  const size_t dot = key.find('.');
  const std::string_view id = key.substr(0, dot);
  std::vector<std::string> ids;
  for (FilterUse& use : settings.filters) {
    ids.push_back(use.id);
    if (use.id != id || dot == std::string_view::npos) continue;
    filters::setFromText(use, key.substr(dot + 1), text, where);
    return filters::check(settings.filters, where);
  }
  constexpr size_t kShown = 200;  // bytes
  if (ids.empty())
    throw UsageError(
        fmt::format("{}: 'filter.{}': there is no filter", where, shortened(key, kShown)));
  throw UsageError(fmt::format("{}: there is no filter with the id '{}'{}", where,
                               shortened(id, kShown), didYouMean(id, ids)));
}

std::optional<filters::Given> givenBy(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto on = node.value_exact<bool>()) return *on;
  if (node.is_number()) return *node.value<double>();
  if (const auto* table = node.as_table()) {
    const std::string from = (*table)["from"].value_or(std::string());
    const size_t dot = from.find('.');
    if (dot == std::string::npos) return std::nullopt;
    return FilterUse::Driven{from.substr(0, dot), from.substr(dot + 1),
                             (*table)["times"].value_or(1.0), (*table)["plus"].value_or(0.0)};
  }
  const auto* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::vector<double> list;
  for (const auto& entry : *array) {
    if (!entry.is_number()) return std::nullopt;
    list.push_back(*entry.value<double>());
  }
  return list;
}

/// Returns the filter that one [[filter]] of a file describes.
FilterUse filterFrom(const toml::node& node, const std::string& where) {
  const auto* table = node.as_table();
  const auto name = table == nullptr ? std::nullopt : (*table)["use"].value<std::string>();
  if (!name)
    throw UsageError(
        fmt::format("{}: a [[filter]] needs use = \"NAME\" (`glint filters` lists all)", where));
  FilterUse use{.id = (*table)["id"].value_or(*name), .name = *name};
  for (const auto& [key, value] : *table) {
    if (key.str() == "use" || key.str() == "id") continue;
    const auto given = givenBy(value);
    if (!given)
      throw UsageError(fmt::format("{}: '{}' of the filter '{}' is not a value that a filter takes",
                                   where, std::string(key.str()), use.id));
    // A text may be "light.mean*2", which writeToml() writes.
    if (const auto* text = std::get_if<std::string>(&*given))
      filters::setFromText(use, key.str(), *text, where);
    else
      filters::set(use, key.str(), *given, where);
  }
  return use;
}

void setFilters(Settings& settings, const toml::node& node, const std::string& path) {
  const auto* array = node.as_array();
  const auto where = [&](const toml::node& at) {
    return fmt::format("{}, line {}", path, at.source().begin.line);
  };
  if (array == nullptr)
    throw UsageError(
        fmt::format("{}: write filters as [[filter]], with two brackets", where(node)));
  settings.filters.clear();
  for (const auto& entry : *array) settings.filters.push_back(filterFrom(entry, where(entry)));
  filters::check(settings.filters, path);
}

/// Returns true if the key of any setting begins with `prefix`.
bool isSection(std::string_view prefix) {
  const auto all = listSettings(Settings());
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& setting) { return setting.key.starts_with(prefix); });
}

void setFromTable(Settings& settings, const toml::table& table, const std::string& prefix,
                  const std::string& path) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (key == "filter") {
      setFilters(settings, node, path);
      continue;
    }
    if (const auto* inner = node.as_table()) {
      if (inner->empty() && !isSection(key + "."))
        throw UsageError(
            fmt::format("{}, line {}: there is no section '{}' (`glint settings` lists all)", path,
                        node.source().begin.line, key));
      setFromTable(settings, *inner, key + ".", path);
    } else {
      setFromNode(settings, key, node, fmt::format("{}, line {}", path, node.source().begin.line));
    }
  }
}

template <class Declared>
SettingInfo infoOf(std::string key, const Declared& setting) {
  return {.key = std::move(key),
          .value = print(setting.value),
          .allowed = allowed(setting.value, setting.range, setting.unit),
          .unit = std::string(setting.unit),
          .help = helpLine(setting.help),
          .details = helpDetails(setting.help)};
}

}  // namespace

Settings::Settings() {
  describe(*this, [](const auto& setting) { setting.value = setting.initial; });
}

std::string labelOf(std::string_view key) {
  const Settings any;
  std::string label(key);
  describe(any, [&](const auto& setting) {
    if (setting.key == key) label = setting.label;
  });
  return label;
}

std::vector<SettingInfo> listSettings(const Settings& settings) {
  std::vector<SettingInfo> list;
  describe(settings,
           [&](const auto& setting) { list.push_back(infoOf(std::string(setting.key), setting)); });
  for (const auto& [number, camera] : settings.cameras) {
    Settings single;
    single.camera = camera;
    if (!camera.id.empty()) {
      list.push_back(
          {fmt::format("camera.{}.id", number), print(camera.id), "any text", "",
           "Live: id of the camera that these settings belong to, whatever its number."});
    }
    describe(single, [&](const auto& setting) {
      constexpr std::string_view kBegin = "camera.";
      if (!setting.key.starts_with(kBegin) || setting.value == setting.initial) return;
      list.push_back(
          infoOf(fmt::format("camera.{}.{}", number, setting.key.substr(kBegin.size())), setting));
    });
  }
  for (const FilterUse& use : settings.filters) {
    const filters::Head& head = filters::catalog().get(use.name, "settings").head;
    const std::string prefix = "filter." + use.id + ".";
    list.push_back({prefix + "use", print(use.name), "", "", head.help});
    for (const auto& [name, from] : use.inputs)
      list.push_back(
          {prefix + name, print(from.shown()), "source, an earlier id or file:NAME", "", ""});
    for (const filters::Parameter& p : head.parameters)
      list.push_back({prefix + p.name, filters::printValue(use, p), p.allowed(), p.unit, p.help});
  }
  return list;
}

void setFromText(Settings& settings, std::string_view givenKey, std::string_view text,
                 std::string_view where) {
  constexpr std::string_view kFilter = "filter.";
  const std::string key = hideSecrets(givenKey);
  const HiddenText hidden(text);
  text = hidden.shown();
  if (key.starts_with(kFilter)) {
    const FilterUses before = settings.filters;
    setOfFilter(settings, std::string_view(key).substr(kFilter.size()), text, where);
    filters::restoreSecrets(settings.filters, hidden);
    return filters::restoreSecrets(settings.filters, before);
  }
  const std::string line = fmt::format("value = {}", text);
  toml::table table;
  try {
    if (findUnreadable(line))
      table.insert("value", std::string(text));  // also for a bare word
    else
      table = toml::parse(line);
  } catch (const toml::parse_error&) {  // users may also type .95 or a bare word
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && text.find('.') != text.npos)
      table.insert("value", number);
    else
      table.insert("value", std::string(text));
  }
  if (table.size() != 1) table = toml::table{{"value", std::string(text)}};
  setFromNode(settings, key, *table.get("value"), where);
}

void setFromText(Settings& settings, std::string_view assignment, std::string_view where) {
  const std::string hidden = hideSecrets(assignment);
  if (!hidden.starts_with(assignment.substr(0, assignment.find('=')))) assignment = hidden;
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw UsageError(
        fmt::format("{} {}: write KEY=VALUE, such as detect.separation=8", where, assignment));
  }
  setFromText(settings, assignment.substr(0, equals), assignment.substr(equals + 1), where);
}

void readToml(Settings& settings, const std::string& path) {
  constexpr size_t kMostBytes = 1 << 20;
  std::string text;
  try {
    text = readTomlSource(path, "settings file", kMostBytes);
  } catch (const Error& error) {
    throw UsageError("{}", error.what());
  }
  readTomlText(settings, text, path);
}

void readTomlText(Settings& settings, const std::string& text, const std::string& path) {
  if (const auto problem = findUnreadable(text))
    throw UsageError(fmt::format("{}, line {}: {}", path, problem->line, problem->what));
  try {
    const HiddenText hidden(text);
    setFromTable(settings, toml::parse(hidden.shown(), path), "", path);
    filters::restoreSecrets(settings.filters, hidden);
  } catch (const toml::parse_error& error) {
    throw UsageError(
        fmt::format("{}, line {}: {}", path, error.source().begin.line, error.description()));
  }
}

void writeToml(const Settings& settings, std::ostream& out) {
  std::string section;
  for (const SettingInfo& setting : listSettings(settings)) {
    const size_t dot = setting.key.find('.');
    if (setting.key.starts_with("filter.")) break;
    if (setting.key.substr(0, dot) != section) {
      out << (section.empty() ? "" : "\n");
      section = setting.key.substr(0, dot);
      out << '[' << section << "]\n";
    }
    out << fmt::format("# {} ({})\n", setting.help, setting.allowed);
    if (!setting.details.empty()) out << fmt::format("# {}\n", setting.details);
    out << fmt::format("{} = {}\n", setting.key.substr(dot + 1), setting.value);
  }
  for (const FilterUse& use : settings.filters) {
    const filters::Head& head = filters::catalog().get(use.name, "settings").head;
    out << fmt::format("\n# {}\n[[filter]]\nuse = {}\nid = {}\n", head.help, print(use.name),
                       print(use.id));
    for (const auto& [name, from] : use.inputs)
      out << fmt::format("{} = {}\n", name, print(from.shown()));
    for (const filters::Parameter& p : head.parameters)
      out << fmt::format("# {} ({})\n{} = {}\n", p.help, p.allowed(), p.name,
                         filters::printValue(use, p));
  }
}

}  // namespace glint
