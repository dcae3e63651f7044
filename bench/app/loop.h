// Whether a recording is bound by its decoding or by Glint.
#pragma once

#include <map>
#include <string>

#include "config/settings.h"
#include "gpu/frame.h"
#include "gpu/physical_devices.h"

namespace glint::bench {

/// The whole loop of `glint track` beside reading and decoding the same frames alone.
struct LoopResult {
  std::string source;
  gpu::DeviceInfo device;
  gpu::ImageFormat format;
  uint64_t frames = 0;
  double decodeSeconds = 0;                   ///< frames read one after another, nothing done
  double loopSeconds = 0;                     ///< from the first frame to the last row of tracks
  std::map<std::string, double> wallMedians;  ///< us a frame, by stage, see docs/formats.md
  double deviceMedian = 0;                    ///< us a frame, all passes

  /// Of the loop's time, what decoding alone takes; 1: nothing else is waited for.
  double decodeShare() const { return decodeSeconds / loopSeconds; }
};

/// Reads `source` three times, so it must be a recording. Tracks are written to /dev/null. Throws
/// Error as `glint track` does.
LoopResult measureLoop(const Address& source, const Settings& settings);

std::string toTable(const LoopResult& result);
std::string toJson(const LoopResult& result);

}  // namespace glint::bench
