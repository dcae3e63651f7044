// How soon results of a live camera are known, beside a plain OpenCV loop on the same camera.
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
  uint32_t frames = 300;  ///< to measure, of each program
};

/// Ages are from when a frame was taken to when its markers were known and, of OpenCV, their rows
/// written.
struct LiveResult {
  LiveCase what;
  Duration glint, opencv;                        ///< us
  uint64_t glintDropped = 0, opencvDropped = 0;  ///< frames
  uint64_t glintFound = 0, opencvFound = 0;      ///< markers in the last frame
  double ratio() const { return glint.median / opencv.median; }
};

struct LiveResults {
  gpu::DeviceInfo device;
  std::vector<LiveResult> cases;
};

/// A made camera gives the same frames to both programs, in turns. OpenCV's loop is threshold,
/// findContours and moments, with the threshold that Glint used told to it. Throws Error as `glint
/// track` does.
LiveResults measureLive(const std::vector<LiveCase>& cases, const Settings& settings);

std::string toTable(const LiveResults& results);
std::string toJson(const LiveResults& results);

}  // namespace glint::bench
