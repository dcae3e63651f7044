// Measures how soon results of a live camera are known, by Glint and by a plain loop of OpenCV on
// the same camera.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/timing.h"
#include "config/settings.h"
#include "gpu/physical_devices.h"

namespace glint::bench {

struct LiveCase {
  uint32_t width = 640, height = 480;  ///< px, grey, 8 bits
  uint32_t markers = 3;
  double rate = 60;       ///< frames/s
  uint32_t frames = 300;  ///< frames to measure with each program
};

/// The results of both programs for one case.
struct LiveResult {
  LiveCase what;
  /// Times from when a frame was taken until its markers were known (with OpenCV: until their rows
  /// were written as text).
  Duration glint, opencv;
  uint64_t glintDropped = 0, opencvDropped = 0;  ///< frames that were lost
  uint64_t glintFound = 0, opencvFound = 0;      ///< markers in the last frame
  double ratio() const { return glint.median / opencv.median; }
};

struct LiveResults {
  gpu::DeviceInfo device;
  std::vector<LiveResult> cases;
};

/// Measures both programs in turns, with a made camera that gives both the same frames. OpenCV's
/// loop runs threshold, findContours and moments, with the threshold that Glint used. Throws Error
/// as `glint track` does.
LiveResults measureLive(const std::vector<LiveCase>& cases, const Settings& settings);

std::string toTable(const LiveResults& results);
std::string toJson(const LiveResults& results);

}  // namespace glint::bench
