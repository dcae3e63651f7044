// Which settings a sweep tries.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/settings.h"

namespace glint::study {

/// One setting and the values that it takes, as they are written after --set.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

/// "KEY=FROM:TO:STEP", both ends counted, or "KEY=A,B,C". Throws UsageError.
SweepAxis parseAxis(const std::string& text);

/// `count` values of a setting from one to the other, at the same distances; of a `whole` number
/// those that are nearest, once each. Throws UsageError where `to` is below `from`.
SweepAxis axisOf(const std::string& key, double from, double to, size_t count, bool whole);

inline constexpr size_t kMostCombinations = 10'000;

/// One value of each axis, in their order.
struct Combination {
  std::vector<std::string> values;
  Settings settings;
  size_t detection = 0;  ///< which of the sweep's detections its tracks come from
};

/// All combinations, the last axis changing fastest. Those that differ only in how markers are
/// tracked share their detection; these are numbered from 0 as they come. Throws UsageError for a
/// key that is unknown or there twice, a value that is refused, and too many combinations.
std::vector<Combination> combine(const std::vector<SweepAxis>& axes, const Settings& base);

}  // namespace glint::study
