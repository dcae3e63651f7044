#include "app/study/sweep/combinations.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/base/text.h"
#include "config/error.h"
#include "config/setting_key.h"

namespace glint::study {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

[[noreturn]] void refuse(const std::string& text) {
  throw UsageError("--over '{}' must be KEY=FROM:TO:STEP, such as {}=4:12:2, or KEY=A,B", text,
                   "detect.separation"_key);
}

double numberOf(const std::string& part, const std::string& text) {
  const auto value = base::parseNumber<double>(part);
  if (!value) refuse(text);
  return *value;
}

std::vector<std::string> rangeOf(const std::vector<std::string>& ends, const std::string& text) {
  if (ends.size() != 3) refuse(text);
  const double from = numberOf(ends[0], text), to = numberOf(ends[1], text),
               step = numberOf(ends[2], text);
  if (step <= 0 || to < from)
    throw UsageError("--over '{}': TO must not be below FROM, nor STEP 0", text);
  // Allows for rounding, as a share of a step: a multiple of 0.1 is not exact.
  constexpr double kRounding = 1e-9;
  const double steps = std::floor((to - from) / step + kRounding);
  if (steps >= static_cast<double>(kMostCombinations))
    throw UsageError("--over '{}' has more than {} values", text, kMostCombinations);
  std::vector<std::string> values;
  for (double i = 0; i <= steps; ++i) values.push_back(fmt::format("{:.10g}", from + i * step));
  return values;
}

}  // namespace

SweepAxis parseAxis(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) refuse(text);
  const std::string values = text.substr(equals + 1);
  const auto ends = split(values, ':');
  SweepAxis axis{text.substr(0, equals),
                 ends.size() > 1 ? rangeOf(ends, text) : split(values, ',')};
  if (std::ranges::find(axis.values, "") != axis.values.end()) refuse(text);
  return axis;
}

SweepAxis axisOf(const std::string& key, double from, double to, size_t count, bool whole) {
  if (!(from <= to)) throw UsageError("{}: the last value is below the first", key);
  SweepAxis axis{key, {}};
  for (size_t i = 0; i < count; ++i) {
    const double share = count < 2 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double value = std::lerp(from, to, share);
    std::string text = fmt::format("{:.6g}", whole ? std::round(value) : value);
    if (axis.values.empty() || axis.values.back() != text) axis.values.push_back(std::move(text));
  }
  return axis;
}

std::vector<Combination> combine(const std::vector<SweepAxis>& axes, const Settings& base) {
  size_t count = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (axes[i].key == axes[j].key) throw UsageError("--over {} is given twice", axes[i].key);
    count *= axes[i].values.size();
    if (count > kMostCombinations)
      throw UsageError("these are more than {} combinations", kMostCombinations);
  }
  std::vector<Combination> all;
  std::vector<Settings> detections;
  for (size_t n = 0; n < count; ++n) {
    Combination& one = all.emplace_back(Combination{{}, base});
    size_t left = n;
    for (size_t i = axes.size(); i-- > 0; left /= axes[i].values.size())
      one.values.insert(one.values.begin(), axes[i].values[left % axes[i].values.size()]);
    for (size_t i = 0; i < axes.size(); ++i)
      setFromText(one.settings, axes[i].key, one.values[i], "--over");
    Settings detection = one.settings;
    detection.track = base.track;
    one.detection =
        static_cast<size_t>(std::ranges::find(detections, detection) - detections.begin());
    if (one.detection == detections.size()) detections.push_back(detection);
  }
  return all;
}

}  // namespace glint::study
