// The building blocks of all reports: tables for people, JSON for programs.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/measure.h"

namespace glint::bench {

using Json = nlohmann::ordered_json;

/// Prints into a string, as printf does.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  const int length = std::snprintf(nullptr, 0, format, values...);
  std::string text(static_cast<size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format, values...);
  text.pop_back();
  return text;
}

/// How durations are written.
struct Unit {
  double microseconds = 1;  ///< in one unit
  int decimals = 1;
};

/// Returns "25.0", the median; "-" without measurements.
std::string median(const Duration& duration, const Unit& unit = {});

/// Returns "25.0 (24.8-25.3)", the median, the 10th and the 90th percentile; "-" without
/// measurements.
std::string spread(const Duration& duration, const Unit& unit = {});

/// Returns the median of the device's time, us. On a device without time stamps the wall clock's
/// time stands in.
template <class Timed>
double deviceTime(const Timed& timed) {
  return timed.device.count == 0 ? timed.wall.median : timed.device.median;
}

/// Returns "name (type, driver)".
std::string describe(const gpu::DeviceInfo& device);

/// Lines of cells, each in its column and one space apart.
class Table {
 public:
  /// `widths` are those of the columns, in bytes. A negative one puts the cells to the left. A
  /// longer cell is not cut, and no line ends in spaces.
  explicit Table(std::vector<int> widths) : widths_(std::move(widths)) {}

  /// Adds a line, which may have fewer cells than there are columns.
  void add(const std::vector<std::string>& cells);
  /// Adds a line that says why a case was not measured.
  void addSkipped(const std::string& name, const std::string& why);
  /// Adds a line with the medians of all passes.
  void addPasses(const std::string& name, const std::vector<Pass>& passes, const Unit& unit = {});

  const std::string& text() const { return text_; }

 private:
  std::vector<int> widths_;
  std::string text_;
};

/// Returns the table below an empty line and its title, or nothing if the table has no lines.
std::string titled(std::string_view title, const Table& table);

/// Returns null without measurements.
Json toJson(const Duration& duration);
Json toJson(const std::vector<Pass>& passes);
Json toJson(const gpu::DeviceInfo& device);

/// Returns the JSON as the text of a file.
std::string toText(const Json& json);

}  // namespace glint::bench
