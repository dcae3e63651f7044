// Counts of a run, from which advice about its settings is derived.
#pragma once

#include <cstdint>
#include <vector>

#include "app/motion/track/tracker.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::motion {

/// Totals of everything that was detected and tracked so far. A "camera frame" is a frame of a
/// single camera.
struct TrackingCounts {
  /// Sets. Each has at most one frame of each camera.
  uint64_t frames = 0;
  uint64_t markers = 0;  ///< detections
  /// Ids that were given to tracks.
  uint64_t tracks = 0;
  /// Camera frames that repeat the previous frame of their camera.
  uint64_t repeats = 0;
  /// Markers without a track. Known only once the session, or a pass of it, has ended.
  Untracked untracked;
  uint64_t fullFrames = 0;     ///< camera frames that held detect.max_markers markers
  uint64_t partialFrames = 0;  ///< camera frames in which markers may be missing
  uint64_t dimFrames = 0;      ///< camera frames in which nothing reached the threshold
  uint64_t barely = 0;         ///< markers that barely reach the threshold; see countBarely()
  uint64_t lampFrames = 0;     ///< camera frames whose threshold a lamp raises; see lampOf()
  uint64_t glances = 0;        ///< glances at frames of a recording's first camera; see glanceAt()
  uint64_t dimmerGlances = 0;  ///< glances that saw signs of dimmer markers
  uint64_t pairedGlances = 0;  ///< glances that saw signs of pairs
  /// Objects rejected for their shape that --elongated would allow. See Limited.
  uint64_t elongated = 0;
  struct Camera {
    uint64_t frames = 0;
    /// The lowest and the highest number of these frames; not valid before the first one.
    uint64_t firstFrame = 0, lastFrame = 0;
    /// Sets of the session until this camera ended.
    uint64_t sets = 0;
    /// True if this camera ended while others went on.
    bool ended = false;
  };
  std::vector<Camera> cameras;

  /// Returns the number of camera frames.
  uint64_t cameraFrames() const {
    uint64_t sum = 0;
    for (const Camera& camera : cameras) sum += camera.frames;
    return sum;
  }
};

/// Adds the results of one camera frame to `counts`: its markers, and signs that the settings do
/// not suit it. Does not raise `frames`; the caller does.
void countMeasurement(const gpu::LayerMeasurement& measured, const Settings& settings,
                      TrackingCounts& counts);

}  // namespace glint::motion
