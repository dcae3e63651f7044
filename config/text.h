// Functions that read and write the value of a setting, with one overload per type. Internal to
// config/.
#pragma once

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "config/describe.h"
#include "config/printable.h"
#include "config/toml_value.h"

namespace glint {

/// Returns the values of an enumeration as TOML strings: "luminance", "inverted".
template <class Enum>
std::string choiceList() {
  std::vector<std::string> quoted;
  for (auto name : Choices<Enum>::names) quoted.push_back(fmt::format("\"{}\"", name));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

// print() returns the value as TOML.
inline std::string print(bool value) {
  return value ? "true" : "false";
}
inline std::string print(int value) {
  return std::to_string(value);
}
inline std::string print(double value) {
  return tomlNumber(value);
}
inline std::string print(const std::string& value) {
  return tomlString(value);
}
inline std::string print(const Threshold& value) {
  return value ? print(*value) : "\"auto\"";
}
template <class Enum>
requires std::is_enum_v<Enum> std::string print(Enum value) {
  return fmt::format("\"{}\"", Choices<Enum>::names.at(static_cast<size_t>(value)));
}

// allowed() returns the allowed values in words, with their unit.
inline std::string withUnit(const std::string& text, std::string_view unit) {
  return unit.empty() ? text : fmt::format("{} {}", text, unit);
}
template <class R>
std::string allowed(bool, const R&, std::string_view) {
  return "true or false";
}
template <class R>
std::string allowed(const std::string&, const R&, std::string_view) {
  return "text";
}
inline std::string allowed(const std::string&, const AnyValue&, std::string_view) {
  return "a number or a name";
}
template <class T>
requires(std::is_same_v<T, int> || std::is_same_v<T, double>) std::string
    allowed(T, const Range<T>& range, std::string_view unit) {
  return withUnit(fmt::format("{} to {}", range.least, range.most), unit);
}
inline std::string allowed(const Threshold&, const Range<double>& range, std::string_view unit) {
  return allowed(double{}, range, unit) + ", or \"auto\"";
}
template <class Enum, class R>
requires std::is_enum_v<Enum> std::string allowed(Enum, const R&, std::string_view) {
  return choiceList<Enum>();
}

// parse() sets `value`. It returns false if the node has a wrong type or a value out of range.
template <class R>
bool parse(const toml::node& node, bool& value, const R&) {
  const auto read = node.value_exact<bool>();
  if (read) value = *read;
  return read.has_value();
}
template <class R>
bool parse(const toml::node& node, std::string& value, const R&) {
  const auto read = node.value_exact<std::string>();
  if (read) value = fromUtf8(*read);
  return read.has_value();
}
inline bool parse(const toml::node& node, std::string& value, const AnyValue&) {
  if (const auto whole = node.value_exact<int64_t>()) {
    value = std::to_string(*whole);
  } else if (const auto number = node.value_exact<double>()) {
    value = fmt::format("{}", *number);
  } else if (const auto truth = node.value_exact<bool>()) {
    value = *truth ? "1" : "0";
  } else {
    return parse(node, value, 0);
  }
  return true;
}
inline bool parse(const toml::node& node, int& value, const Range<int>& range) {
  const auto read = node.value_exact<int64_t>();
  if (!read || *read < range.least || *read > range.most) return false;
  value = static_cast<int>(*read);
  return true;
}
inline bool parse(const toml::node& node, double& value, const Range<double>& range) {
  if (!node.is_number()) return false;
  const double read = *node.value<double>();
  if (!(read >= range.least && read <= range.most)) return false;  // also refuses nan
  value = read;
  return true;
}
inline bool parse(const toml::node& node, Threshold& value, const Range<double>& range) {
  if (node.value_exact<std::string>() == "auto") {
    value.reset();
    return true;
  }
  double fraction = 0;
  if (!parse(node, fraction, range)) return false;
  value = fraction;
  return true;
}
template <class Enum, class R>
requires std::is_enum_v<Enum>
bool parse(const toml::node& node, Enum& value, const R&) {
  const auto text = node.value_exact<std::string>();
  const auto& names = Choices<Enum>::names;
  const auto found = text ? std::find(names.begin(), names.end(), *text) : names.end();
  if (found == names.end()) return false;
  value = static_cast<Enum>(found - names.begin());
  return true;
}

}  // namespace glint
