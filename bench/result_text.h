// What was measured, as a table for people and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "bench/measure.h"

namespace glint::bench {

/// Where the figures come from.
struct Conditions {
  gpu::DeviceInfo device;
  uint32_t peerThreads = 0;  ///< that peers were allowed; 0: there were no peers
};

/// How device time grows from some cases to others.
struct Growth {
  std::string what;
  double ratio = 0;
  double goal = 0;  ///< the ratio should lie below it
};

/// 8K over 4K, most over fewest markers, several layers over as many runs of one; of those pairs of
/// cases that were measured and differ in nothing else. Wall times stand in where the device has no
/// timestamps.
std::vector<Growth> growth(const std::vector<Result>& results);

/// The markers found, as CSV with the columns case, camera and those of `glint track
/// --detections`: what scripts/compare_detections compares between devices.
std::string toCsv(const std::vector<Result>& results);

std::string toTable(const Conditions& conditions, const std::vector<Result>& results);
std::string toJson(const Conditions& conditions, const std::vector<Result>& results);

}  // namespace glint::bench
