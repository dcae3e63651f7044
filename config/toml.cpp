#include <charconv>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

#include "config/error.h"
#include "config/printable.h"
#include "config/settings.h"
#include "config/text.h"
#include "config/toml_guard.h"
#include "config/toml_text.h"

namespace glint {
namespace {

/// Edit distance (Wagner and Fischer 1974), to suggest the key that was meant.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

[[noreturn]] void refuseUnknown(std::string_view key, std::string_view where) {
  const auto all = listSettings(Settings());
  const std::string_view meant = key.substr(0, 100);  // the distance takes the product of lengths
  const auto nearest = std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return editDistance(meant, a.key) < editDistance(meant, b.key);
  });
  constexpr size_t kShown = 200;  // bytes
  throw UsageError(
      fmt::format("{}: there is no setting '{}'; did you mean '{}'? "
                  "(`glint settings` lists all)",
                  where, shortened(key, kShown), nearest->key));
}

/// "camera.1.exposure": of camera 1, "camera.exposure".
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

void setFromNode(Settings& settings, std::string_view key, const toml::node& node,
                 std::string_view where) {
  if (const auto one = ofOneCamera(key)) {
    Settings single;
    const auto known = settings.cameras.find(one->camera);
    if (known != settings.cameras.end()) single.camera = known->second;
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

/// Whether settings' keys begin with `prefix`.
bool isSection(std::string_view prefix) {
  const auto all = listSettings(Settings());
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& setting) { return setting.key.starts_with(prefix); });
}

void setFromTable(Settings& settings, const toml::table& table, const std::string& prefix,
                  const std::string& path) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
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

}  // namespace

std::vector<SettingInfo> listSettings(const Settings& settings) {
  std::vector<SettingInfo> list;
  describe(settings, [&](const auto& setting) {
    list.push_back({std::string(setting.key), print(setting.value),
                    allowed(setting.value, setting.range, setting.unit), std::string(setting.unit),
                    std::string(setting.help)});
  });
  for (const auto& [number, camera] : settings.cameras) {
    Settings single;
    single.camera = camera;
    describe(single, [&](const auto& setting) {
      constexpr std::string_view kBegin = "camera.";
      if (!setting.key.starts_with(kBegin) || setting.value == setting.initial) return;
      list.push_back({fmt::format("camera.{}.{}", number, setting.key.substr(kBegin.size())),
                      print(setting.value), allowed(setting.value, setting.range, setting.unit),
                      std::string(setting.unit), std::string(setting.help)});
    });
  }
  return list;
}

void setFromText(Settings& settings, std::string_view key, std::string_view text,
                 std::string_view where) {
  const std::string line = fmt::format("value = {}", text);
  toml::table table;
  try {
    if (findUnreadable(line))
      table.insert("value", std::string(text));  // a bare word, too
    else
      table = toml::parse(line);
  } catch (const toml::parse_error&) {
    table.insert("value", std::string(text));  // a bare word, as a shell user types it
  }
  if (table.size() != 1) table = toml::table{{"value", std::string(text)}};
  setFromNode(settings, key, *table.get("value"), where);
}

void setFromText(Settings& settings, std::string_view assignment, std::string_view where) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw UsageError(
        fmt::format("{} {}: write KEY=VALUE, such as detect.separation=8", where, assignment));
  }
  setFromText(settings, assignment.substr(0, equals), assignment.substr(equals + 1), where);
}

void readToml(Settings& settings, const std::string& path) {
  constexpr size_t kMostBytes = 1 << 20;
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file || std::filesystem::is_directory(path, ignored))
    throw UsageError(fmt::format("cannot read the settings file '{}'", path));
  std::string text(kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMostBytes) {
    throw UsageError(
        fmt::format("'{}' is larger than {} bytes: no settings file", path, kMostBytes));
  }
  readTomlText(settings, text, path);
}

void readTomlText(Settings& settings, const std::string& text, const std::string& path) {
  if (const auto problem = findUnreadable(text))
    throw UsageError(fmt::format("{}, line {}: {}", path, problem->line, problem->what));
  try {
    setFromTable(settings, toml::parse(text, path), "", path);
  } catch (const toml::parse_error& error) {
    throw UsageError(
        fmt::format("{}, line {}: {}", path, error.source().begin.line, error.description()));
  }
}

void writeToml(const Settings& settings, std::ostream& out) {
  std::string section;
  for (const SettingInfo& setting : listSettings(settings)) {
    const size_t dot = setting.key.find('.');
    if (setting.key.substr(0, dot) != section) {
      out << (section.empty() ? "" : "\n");
      section = setting.key.substr(0, dot);
      out << '[' << section << "]\n";
    }
    out << fmt::format("# {} ({})\n{} = {}\n", setting.help, setting.allowed,
                       setting.key.substr(dot + 1), setting.value);
  }
}

}  // namespace glint
