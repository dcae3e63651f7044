// The combinations of settings that a sweep tries.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/settings.h"

namespace glint::study {

/// One setting and the values that it takes, in the form that follows --set.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

/// Reads "KEY=FROM:TO:STEP", where FROM and TO belong to the range, or "KEY=A,B,C". Throws
/// UsageError if the text has another form or the range is empty.
SweepAxis parseAxis(const std::string& text);

/// Returns `count` values of a setting at equal distances, from `from` to `to`. If the setting is
/// `whole`, rounds them to whole numbers, and keeps each number once. Throws UsageError if `to` is
/// below `from`.
SweepAxis axisOf(const std::string& key, double from, double to, size_t count, bool whole);

inline constexpr size_t kMostCombinations = 10'000;

/// A combination: one value of each axis, in the order of the axes, and all settings with these
/// values.
struct Combination {
  std::vector<std::string> values;
  Settings settings;
  size_t detection = 0;  ///< The number of the detection that the tracks of this combination use.
};

/// Returns all combinations; the last axis changes fastest. Combinations that differ only in
/// settings of tracking share a detection. Detections are numbered from 0 in the order of their
/// first use. Throws UsageError if a key is unknown or given twice, if a value is refused, or if
/// there are more than kMostCombinations.
std::vector<Combination> combine(const std::vector<SweepAxis>& axes, const Settings& base);

}  // namespace glint::study
