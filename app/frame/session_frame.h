// What a session hands on: each frame of all cameras, measured and tracked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/track/observation.h"
#include "gpu/detector.h"

namespace glint {

/// One frame of one camera, measured and tracked.
struct CameraFrame {
  LayerMeasurement measured;        ///< its stamp is empty where the camera gave no frame
  std::vector<TrackRow> live;       ///< every confirmed track in this frame, by id
  std::vector<TrackRow> tentative;  ///< tracks measured here that are not confirmed yet; id 0
  std::vector<TrackRow> settled;    ///< rows whose fate became known, by frame and id
  FrameLease pixels;                ///< null without a frame, and where nobody wants pixels
  uint32_t layer = 0;               ///< of `pixels`

  /// The pixels as they came. Call only where `pixels` is there.
  ImageView image() const { return pixels->layer(layer); }
};

/// One frame of all cameras, in the order of capture. The last one of a pass holds no measurement,
/// only the rows that were still open.
struct SessionFrame {
  uint64_t index = 0;  ///< recordings: the number of the frame from the start; live: of the set
  uint32_t epoch = 0;  ///< counts up when earlier results become stale: a jump, other settings
  uint32_t pass = 0;   ///< counts up at each jump: within a pass frames follow each other
  double tracked = 0;  ///< s, the host's monotonic clock when it was
  double due = 0;      ///< s, the same clock: when it was to be played; 0: at no certain time
  std::vector<CameraFrame> cameras;

  /// Whether any camera gave a frame.
  bool measured() const {
    return std::any_of(cameras.begin(), cameras.end(),
                       [](const CameraFrame& camera) { return camera.measured.stamp.has_value(); });
  }
  bool hasPixels() const {
    return std::any_of(cameras.begin(), cameras.end(),
                       [](const CameraFrame& camera) { return camera.pixels != nullptr; });
  }
};

/// Takes every frame of a session as soon as it was tracked, on the session's own thread: must not
/// wait.
class FrameListener {
 public:
  virtual ~FrameListener() = default;
  virtual void take(const SessionFrame& frame) = 0;
};

}  // namespace glint
