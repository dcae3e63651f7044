// Measures if decoding or Glint takes most of the time that a recording takes.
#pragma once

#include <map>
#include <string>

#include "config/settings.h"
#include "gpu/frame.h"
#include "gpu/physical_devices.h"

namespace glint::bench {

/// Times of the whole loop of `glint track`, and of only reading and decoding the same frames.
struct LoopResult {
  std::string source;
  gpu::DeviceInfo device;
  gpu::ImageFormat format;
  uint64_t frames = 0;
  double decodeSeconds = 0;                   ///< s to read all frames without using them
  double loopSeconds = 0;                     ///< s from the first frame to the last row of tracks
  std::map<std::string, double> wallMedians;  ///< us per frame, by stage: see docs/formats.md
  double deviceMedian = 0;                    ///< us per frame, all passes

  /// Returns the time of decoding as a share of the loop's time; 1 if the loop waits for nothing
  /// else.
  double decodeShare() const { return decodeSeconds / loopSeconds; }
};

/// Reads `source` three times, so it must be a recording. Tracks are written to /dev/null. Throws
/// Error as `glint track` does.
LoopResult measureLoop(const Address& source, const Settings& settings);

std::string toTable(const LoopResult& result);
std::string toJson(const LoopResult& result);

}  // namespace glint::bench
