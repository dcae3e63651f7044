// Writes measured times of detection as a table for people and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "bench/measure.h"

namespace glint::bench {

/// The conditions under which times were measured.
struct Conditions {
  gpu::DeviceInfo device;
  uint32_t peerThreads = 0;  ///< number of threads that peers were allowed; 0: no peers
};

/// A ratio of the device times of two cases.
struct Growth {
  std::string what;  ///< names both cases
  double ratio = 0;
  double goal = 0;  ///< value below which the ratio should lie
};

/// Returns the ratios 8K to 4K, most to fewest markers, and several layers to as many runs of one
/// layer, for all pairs of measured cases that differ in nothing else. Where the device has no
/// timestamps the ratios are those of the wall times.
std::vector<Growth> growth(const std::vector<Result>& results);

/// Returns the markers found as CSV with the columns case, camera and those of `glint track
/// --detections`. scripts/compare_detections compares such files of different devices.
std::string toCsv(const std::vector<Result>& results);

std::string toTable(const Conditions& conditions, const std::vector<Result>& results);
std::string toJson(const Conditions& conditions, const std::vector<Result>& results);

}  // namespace glint::bench
