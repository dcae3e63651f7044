// Provides the building blocks of all reports: tables for people, JSON for programs.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/measure.h"

namespace glint::bench {

using Json = nlohmann::ordered_json;

/// Returns the text that printf would print.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  const int length = std::snprintf(nullptr, 0, format, values...);
  std::string text(static_cast<size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format, values...);
  text.pop_back();
  return text;
}

/// A unit in which durations are written.
struct Unit {
  double microseconds = 1;  ///< us in one unit
  int decimals = 1;         ///< digits behind the point
};

/// Returns the median as a text such as "25.0"; "-" without measurements.
std::string median(const Duration& duration, const Unit& unit = {});

/// Returns the median and the 10th and 90th percentile as a text such as "25.0 (24.8-25.3)"; "-"
/// without measurements.
std::string spread(const Duration& duration, const Unit& unit = {});

/// Returns the median of the device's time, us; on a device without timestamps the median of the
/// time by the wall clock.
template <class Timed>
double deviceTime(const Timed& timed) {
  return timed.device.count == 0 ? timed.wall.median : timed.device.median;
}

/// Returns a text of the form "name (type, driver)".
std::string describe(const gpu::DeviceInfo& device);

/// A text of lines whose cells stand in columns, one space apart.
class Table {
 public:
  /// `widths`: the width of each column, bytes; cells stand at the right, or at the left if the
  /// width is negative. A longer cell is not cut, and no line ends in spaces.
  explicit Table(std::vector<int> widths) : widths_(std::move(widths)) {}

  /// Adds a line of cells; there may be fewer of them than columns.
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

/// Returns an empty line, the title and the table; an empty text if the table has no lines.
std::string titled(std::string_view title, const Table& table);

/// Returns an object with all members of the duration; null without measurements.
Json toJson(const Duration& duration);
Json toJson(const std::vector<Pass>& passes);
Json toJson(const gpu::DeviceInfo& device);

/// Returns the JSON as the text of a file.
std::string toText(const Json& json);

}  // namespace glint::bench
