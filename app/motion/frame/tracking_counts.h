// The counts of a run that advice about its settings is drawn from.
#pragma once

#include <cstdint>
#include <vector>

#include "app/motion/track/tracker.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::motion {

/// Everything that was detected and tracked so far. A "camera frame" is a frame of a single camera.
struct TrackingCounts {
  uint64_t frames = 0;         ///< of all cameras together: sets of one frame each
  uint64_t markers = 0;        ///< detections
  uint64_t tracks = 0;         ///< ids given
  uint64_t repeats = 0;        ///< camera frames that repeat the one before
  Untracked untracked;         ///< known once the session, or a pass of it, has ended
  uint64_t fullFrames = 0;     ///< camera frames that held detect.max_markers markers
  uint64_t partialFrames = 0;  ///< camera frames in which markers may be missing
  uint64_t dimFrames = 0;      ///< camera frames in which nothing reached the threshold
  uint64_t barely = 0;         ///< markers that barely reach the threshold; see countBarely()
  uint64_t lampFrames = 0;     ///< camera frames whose threshold a lamp raises; see lampOf()
  uint64_t glances = 0;        ///< glances at frames of a recording's first camera; see glanceAt()
  uint64_t dimmerGlances = 0;  ///< glances that saw signs of dimmer markers
  uint64_t pairedGlances = 0;  ///< glances that saw signs of pairs
  uint64_t elongated = 0;      ///< candidates that were rejected because they are long; see Limited
  struct Camera {
    uint64_t frames = 0;
    uint64_t sets = 0;   ///< that there were until it ended
    bool ended = false;  ///< while others went on
  };
  std::vector<Camera> cameras;

  /// Returns the number of camera frames.
  uint64_t cameraFrames() const {
    uint64_t sum = 0;
    for (const Camera& camera : cameras) sum += camera.frames;
    return sum;
  }
};

/// Adds what was measured in a frame of one camera: its markers, and the signs of settings that do
/// not suit it. The frame itself is not counted.
void countMeasurement(const gpu::LayerMeasurement& measured, const Settings& settings,
                      TrackingCounts& counts);

}  // namespace glint::motion
