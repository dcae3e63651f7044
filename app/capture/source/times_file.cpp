#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/base/text.h"
#include "app/capture/source/retimed_source.h"
#include "config/error.h"
#include "config/lower_case.h"

namespace glint::capture {
namespace {

constexpr size_t kLongestLine = 4096;  // bytes

std::vector<std::string> cellsOfLine(const std::string& line) {
  std::vector<std::string> cells;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find_first_of(",;\t", at), line.size());
    std::string cell = line.substr(at, end - at);
    const auto isFiller = [](char c) {
      return std::isspace(static_cast<unsigned char>(c)) != 0 || c == '"';
    };
    while (!cell.empty() && isFiller(cell.back())) cell.pop_back();
    while (!cell.empty() && isFiller(cell.front())) cell.erase(0, 1);
    cells.push_back(std::move(cell));
    at = end + 1;
  }
  return cells;
}

/// Which columns of a table are read, and the unit of its times.
struct Columns {
  size_t time = 0;
  std::optional<size_t> camera = {};
  double unit = 1;  ///< s
};

double unitOf(const std::string& name) {
  if (name.ends_with("ms") || name.ends_with("milliseconds")) return 1e-3;
  if (name.ends_with("us") || name.ends_with("microseconds")) return 1e-6;
  if (name.ends_with("ns") || name.ends_with("nanoseconds")) return 1e-9;
  return 1;
}

/// Empty where no column is one of times.
std::optional<Columns> columnsOf(const std::vector<std::string>& header) {
  std::vector<std::string> names;
  for (const std::string& name : header) names.push_back(lowerCase(name));
  const auto find = [&](std::string_view name) -> std::optional<size_t> {
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? std::nullopt
                             : std::optional(static_cast<size_t>(at - names.begin()));
  };
  std::optional<size_t> time;
  for (const char* name : {"time_s", "time", "timestamp", "frame_time"})
    if (!time) time = find(name);
  const auto holdsTime = std::ranges::find_if(
      names, [](const std::string& name) { return name.find("time") != std::string::npos; });
  if (!time && holdsTime != names.end()) time = static_cast<size_t>(holdsTime - names.begin());
  if (!time && names.size() == 1) time = 0;
  if (!time) return std::nullopt;
  Columns columns{.time = *time, .unit = unitOf(names[*time])};
  for (const char* name : {"port", "cam_id", "camera"})
    if (!columns.camera) columns.camera = find(name);
  return columns;
}

/// The last number in a recording's name: of port_1.mp4 it is 1.
std::optional<uint64_t> cameraOf(const std::string& recording) {
  const std::string stem = std::filesystem::path(recording).stem().string();
  const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  size_t end = stem.size();
  while (end > 0 && !isDigit(stem[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && isDigit(stem[begin - 1])) --begin;
  return base::parseNumber<uint64_t>(std::string_view(stem).substr(begin, end - begin));
}

struct TimeRow {
  double time = 0;
  std::string camera;
  size_t line = 0;
};

/// Leaves the rows of one camera.
void chooseCamera(const std::string& path, const std::string& recording,
                  std::vector<TimeRow>& rows) {
  const bool several = std::ranges::any_of(
      rows, [&](const TimeRow& row) { return row.camera != rows.front().camera; });
  if (!several) return;
  const auto wanted = cameraOf(recording);
  if (wanted)
    std::erase_if(rows, [&](const TimeRow& row) {
      return base::parseNumber<uint64_t>(row.camera) != wanted;
    });
  if (!wanted || rows.empty())
    throw Error(
        "'{}' holds the times of several cameras, and the name of '{}' does not end in the "
        "number of one of them",
        path, recording);
}

}  // namespace

std::vector<double> readTimesFile(const std::string& path, const std::string& recording) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    throw Error("the times '{}' are not a file", path);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cannot open '{}': {}", path, std::strerror(errno));
  Columns columns;
  std::vector<TimeRow> rows;
  std::string line;
  for (size_t number = 1; std::getline(in, line); ++number) {
    if (line.size() > kLongestLine) throw Error("'{}', line {}: it is too long", path, number);
    const std::vector<std::string> cells = cellsOfLine(line);
    if (cells.size() == 1 && cells[0].empty()) continue;
    const bool first = rows.empty() && number == 1;
    if (first && !base::parseNumber<double>(cells[0])) {
      const auto found = columnsOf(cells);
      if (!found) throw Error("'{}' has no column whose name holds \"time\"", path);
      columns = *found;
      continue;
    }
    const auto time =
        columns.time < cells.size() ? base::parseNumber<double>(cells[columns.time]) : std::nullopt;
    if (!time) throw Error("'{}', line {}: there is no time", path, number);
    const bool named = columns.camera && *columns.camera < cells.size();
    rows.push_back({*time * columns.unit, named ? cells[*columns.camera] : "", number});
  }
  if (rows.empty()) throw Error("'{}' holds no times", path);
  chooseCamera(path, recording, rows);
  std::vector<double> times;
  for (const TimeRow& row : rows) {
    if (!times.empty() && row.time <= times.back())
      throw Error("'{}', line {}: the time is not later than the one before", path, row.line);
    times.push_back(row.time);
  }
  return times;
}

}  // namespace glint::capture
