#include "config/filter_use.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/error.h"
#include "config/filter_catalog.h"
#include "config/nearest.h"
#include "config/printable.h"

namespace glint::filters {
namespace {

constexpr size_t kShown = 200;  // most bytes of a user's text in a message

std::optional<double> numberFrom(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool isName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
}

/// Parses "light.mean*1.5+0.1". Returns nothing if the text has another form.
std::optional<FilterUse::Driven> drivenFrom(std::string_view text) {
  FilterUse::Driven driven;
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || numberFrom(text)) return std::nullopt;
  driven.id = text.substr(0, dot);
  text.remove_prefix(dot + 1);
  const size_t end = std::min(text.find_first_of("*+"), text.size());
  driven.number = text.substr(0, end);
  if (!isName(driven.id) || !isName(driven.number)) return std::nullopt;
  text.remove_prefix(end);
  if (text.starts_with('*')) {
    const size_t plus = std::min(text.find('+', 1), text.size());
    const auto times = numberFrom(text.substr(1, plus - 1));
    if (!times) return std::nullopt;
    driven.times = *times;
    text.remove_prefix(plus);
  }
  if (text.empty()) return driven;
  const auto plus = numberFrom(text.substr(1));
  if (!plus) return std::nullopt;
  driven.plus = *plus;
  return driven;
}

/// Returns true for texts such as "sigma=2" or "sigma=2:...".
bool beginsWithKey(std::string_view text) {
  const std::string_view part = text.substr(0, text.find(':'));
  const size_t equals = part.find('=');
  return equals != std::string_view::npos && isName(part.substr(0, equals));
}

std::optional<std::vector<double>> listFrom(std::string_view text) {
  std::vector<double> all;
  for (;;) {
    const size_t comma = text.find(',');
    const auto number = numberFrom(text.substr(0, comma));
    if (!number) return std::nullopt;
    all.push_back(*number);
    if (comma == std::string_view::npos) return all;
    text.remove_prefix(comma + 1);
  }
}

std::string shown(const Given& value) {
  struct Show {
    std::string operator()(double v) const { return fmt::format("{}", v); }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const std::vector<double>& v) const {
      return fmt::format("[{}]", fmt::join(v, ", "));
    }
    std::string operator()(const FilterUse::Driven& v) const { return v.id + "." + v.number; }
  };
  return shortened(std::visit(Show{}, value), kShown);
}

/// Returns the value of a parameter, or nothing if `given` has a wrong type or is out of range.
std::optional<std::vector<double>> fitting(const Parameter& p, const Given& given) {
  std::vector<double> value;
  if (const auto* number = std::get_if<double>(&given)) value = {*number};
  if (const auto* list = std::get_if<std::vector<double>>(&given)) value = *list;
  if (const auto* on = std::get_if<bool>(&given)) {
    if (p.kind != Parameter::Kind::toggle) return std::nullopt;
    return std::vector{*on ? 1.0 : 0.0};
  }
  const auto* word = std::get_if<std::string>(&given);
  std::string text;
  if (p.kind == Parameter::Kind::choice && value.size() == 1) {  // a choice that is a number
    text = fmt::format("{}", value[0]);
    word = &text;
  }
  if (word != nullptr) {
    const auto found = std::find(p.choices.begin(), p.choices.end(), *word);
    if (found == p.choices.end()) return std::nullopt;
    return std::vector{static_cast<double>(found - p.choices.begin())};
  }
  const bool takesNumbers = p.kind == Parameter::Kind::number || p.kind == Parameter::Kind::whole;
  if (!takesNumbers || value.size() != p.initial.size()) return std::nullopt;
  for (const double v : value) {
    if (!(v >= p.least && v <= p.most)) return std::nullopt;
    if (p.kind == Parameter::Kind::whole && v != static_cast<double>(static_cast<int64_t>(v)))
      return std::nullopt;
  }
  return value;
}

std::vector<std::string> keysOf(const Head& head) {
  std::vector<std::string> keys{"input"};
  for (const Parameter& p : head.parameters) keys.push_back(p.name);
  for (const Input& input : head.inputs) keys.push_back(input.name);
  return keys;
}

bool isInput(const Head& head, std::string_view key) {
  return key == "input" || std::any_of(head.inputs.begin(), head.inputs.end(),
                                       [&](const Input& input) { return input.name == key; });
}

void checkInput(const FilterUses& uses, size_t i, const std::string& name, const Address& origin,
                std::string_view where) {
  if (fileOf(origin)) return;
  const std::string& from = origin.shown();
  const auto& inputs = catalog().get(uses[i].name, where).head.inputs;
  if (std::any_of(inputs.begin(), inputs.end(), [&](const Input& input) {
        return input.name == name && input.form != Input::Form::plane;
      }))
    throw UsageError(fmt::format("{}: '{}' of the filter '{}' must be a file, file:NAME", where,
                                 name, uses[i].id));
  if (from == "source" || framesBack(from)) return;
  for (size_t j = 0; j < uses.size(); ++j) {
    if (uses[j].id != from) continue;
    if (j < i) return;
    throw UsageError(fmt::format("{}: the filter '{}' reads '{}', which comes only {}", where,
                                 uses[i].id, from, j == i ? "from itself" : "after it"));
  }
  throw UsageError(
      fmt::format("{}: the filter '{}' reads '{}', and no filter has that id; write source, "
                  "frame:-1 (to -{}), an "
                  "earlier id or file:NAME",
                  where, uses[i].id, from, kMostFramesBack));
}

void checkDriven(const FilterUses& uses, const FilterUse& use, const FilterUse::Driven& driven,
                 std::string_view where) {
  const auto reducer =
      std::find_if(uses.begin(), uses.end(), [&](const FilterUse& u) { return u.id == driven.id; });
  if (reducer == uses.end() || !catalog().get(reducer->name, where).head.reduces)
    throw UsageError(
        fmt::format("{}: the filter '{}' takes a number from '{}', which is not a filter that "
                    "reports numbers, such as average",
                    where, use.id, driven.id));
  const auto& numbers = reducedNumbers();
  if (std::find(numbers.begin(), numbers.end(), driven.number) == numbers.end())
    throw UsageError(fmt::format(
        "{}: there is no number '{}.{}'; there are {}, also with red_, "
        "green_ or blue_ before them",
        where, driven.id, driven.number, fmt::join(numbers.begin(), numbers.begin() + 5, ", ")));
}

}  // namespace

void set(FilterUse& use, std::string_view key, const Given& value, std::string_view where) {
  const Head& head = catalog().get(use.name, where).head;
  if (isInput(head, key)) {
    const auto* from = std::get_if<std::string>(&value);
    if (from == nullptr || from->empty())
      throw UsageError(
          fmt::format("{}: '{}' of the filter '{}' must be source, frame:-1, an earlier id or "
                      "file:NAME",
                      where, key, use.id));
    use.inputs[std::string(key)] = Address(fromUtf8(*from));
    return;
  }
  const Parameter* p = head.find(key);
  if (p == nullptr)
    throw UsageError(fmt::format("{}: the filter '{}' has no '{}'{} (`glint filters {}` lists all)",
                                 where, use.name, shortened(key, kShown),
                                 didYouMean(key, keysOf(head)), use.name));
  if (const auto* driven = std::get_if<FilterUse::Driven>(&value)) {
    if (p->kind != Parameter::Kind::number || p->isList())
      throw UsageError(
          fmt::format("{}: '{}' of the filter '{}' cannot follow a number", where, key, use.id));
    use.values.erase(p->name);
    use.driven[p->name] = *driven;
    return;
  }
  const auto fits = fitting(*p, value);
  if (!fits)
    throw UsageError(fmt::format("{}: '{}' of the filter '{}' cannot be {}; allowed is {}", where,
                                 key, use.id, shown(value), p->allowed()));
  use.driven.erase(p->name);
  use.values[p->name] = *fits;
}

void setFromText(FilterUse& use, std::string_view key, std::string_view text,
                 std::string_view where) {
  if (text.size() > 1 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  if (text.size() > 1 && text.front() == '[' && text.back() == ']')
    text = text.substr(1, text.size() - 2);
  const Head& head = catalog().get(use.name, where).head;
  Given value = std::string(text);
  if (isInput(head, key)) return set(use, key, value, where);
  if (text == "true" || text == "false")
    value = text == "true";
  else if (const auto number = numberFrom(text))
    value = *number;
  else if (auto list = listFrom(text))
    value = *list;
  else if (auto driven = drivenFrom(text))
    value = *driven;
  set(use, key, value, where);
}

FilterUse parseUse(std::string_view given, std::string_view where) {
  const HiddenText hidden(given);
  const std::string& text = hidden.shown();
  FilterUse use;
  const std::string_view first = std::string_view(text).substr(0, text.find(':'));
  std::string_view rest = std::string_view(text).substr(std::min(first.size() + 1, text.size()));
  const size_t equals = first.find('=');
  use.name = first.substr(equals == std::string_view::npos ? 0 : equals + 1);
  use.id = first.substr(0, equals);
  catalog().get(use.name, where);
  while (!rest.empty()) {
    // A colon within a value, as in file:dark.png, is not followed by KEY=.
    size_t colon = rest.find(':');
    while (colon != std::string_view::npos && !beginsWithKey(rest.substr(colon + 1)))
      colon = rest.find(':', colon + 1);
    const std::string_view part = rest.substr(0, colon);
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const size_t is = part.find('=');
    if (is == std::string_view::npos)
      throw UsageError(
          fmt::format("{} {}: write ID=NAME:PARAMETER=VALUE:..., such as smooth=gaussian:sigma=2",
                      where, shortened(text, kShown)));
    setFromText(use, part.substr(0, is), part.substr(is + 1), where);
  }
  restoreSecrets({&use, 1}, hidden);
  return use;
}

void restoreSecrets(std::span<FilterUse> uses, const HiddenText& text) {
  for (FilterUse& use : uses)
    for (auto& [name, from] : use.inputs)
      if (!from.isComplete()) from = text.addressOf(from.shown());
}

void restoreSecrets(std::span<FilterUse> uses, std::span<const FilterUse> known) {
  for (FilterUse& use : uses)
    for (auto& [name, from] : use.inputs)
      for (const FilterUse& other : known)
        for (const auto& [otherName, address] : other.inputs)
          if (!from.isComplete() && address.shown() == from.shown()) from = address;
}

void check(const FilterUses& uses, std::string_view where) {
  constexpr size_t kMost = 64;
  if (uses.size() > kMost)
    throw UsageError(fmt::format("{}: a chain has {} filters at most", where, kMost));
  for (size_t i = 0; i < uses.size(); ++i) {
    const FilterUse& use = uses[i];
    const Head& head = catalog().get(use.name, where).head;
    if (!isName(use.id) || use.id == "source")
      throw UsageError(
          fmt::format("{}: '{}' cannot be the id of a filter; use letters, digits, _ and -", where,
                      shortened(use.id, kShown)));
    for (size_t j = 0; j < i; ++j) {
      if (uses[j].id == use.id)
        throw UsageError(fmt::format(
            "{}: two filters have the id '{}'; give one of them another id, such as other={}",
            where, use.id, use.name));
    }
    for (const Input& input : head.inputs) {
      if (!use.inputs.contains(input.name))
        throw UsageError(fmt::format(
            "{}: the filter '{}' needs '{}' ({}): {}", where, use.id, input.name,
            input.form == Input::Form::plane ? "source, frame:-1, an earlier id or file:NAME"
                                             : "file:NAME",
            input.help));
    }
    for (const auto& [name, from] : use.inputs) checkInput(uses, i, name, from, where);
    for (const auto& [name, driven] : use.driven) checkDriven(uses, use, driven, where);
  }
}

void checkSeeks(const FilterUses& uses) {
  for (size_t i = uses.size(); i-- > 0;) {
    if (catalog().get(uses[i].name, "filters").head.feeds == Head::Feeds::view)
      throw UsageError(
          fmt::format("no markers can be found after the filter '{}', which makes pictures to look "
                      "at; remove it here, and view its output with `glint filter`",
                      uses[i].id));
    const auto input = uses[i].inputs.find("input");
    if (input == uses[i].inputs.end()) continue;
    while (i > 0 && uses[i - 1].id != input->second.shown()) --i;
  }
}

std::optional<Address> fileOf(const Address& from) {
  constexpr std::string_view kFile = "file:";
  if (!from.real().starts_with(kFile)) return std::nullopt;
  return Address(from.real().substr(kFile.size()));
}

std::optional<uint32_t> framesBack(std::string_view from) {
  constexpr std::string_view kFrame = "frame:-";
  if (!from.starts_with(kFrame)) return std::nullopt;
  const auto number = numberFrom(from.substr(kFrame.size()));
  if (!number || !(*number >= 1 && *number <= kMostFramesBack) || *number != std::floor(*number))
    return std::nullopt;
  return static_cast<uint32_t>(*number);
}

const std::vector<double>& valueOf(const FilterUse& use, const Parameter& parameter) {
  const auto found = use.values.find(parameter.name);
  return found == use.values.end() ? parameter.initial : found->second;
}

std::string printValue(const FilterUse& use, const Parameter& parameter) {
  const auto driven = use.driven.find(parameter.name);
  if (driven == use.driven.end()) return parameter.print(valueOf(use, parameter));
  const FilterUse::Driven& d = driven->second;
  return fmt::format("\"{}.{}*{}+{}\"", d.id, d.number, d.times, d.plus);
}

const std::vector<std::string>& reducedNumbers() {
  static const auto names = [] {
    std::vector<std::string> all;
    for (const char* channel : {"", "red_", "green_", "blue_"})
      for (const char* number : {"sum", "mean", "min", "max", "variance"})
        all.push_back(std::string(channel) + number);
    return all;
  }();
  return names;
}

}  // namespace glint::filters
