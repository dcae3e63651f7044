// The frame: what a session knows of one moment of all its cameras, on its way to every sink.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/motion/frame/results.h"
#include "app/motion/track/foretold.h"
#include "app/motion/track/observation.h"
#include "config/numbers.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::motion {

/// What does not change while a session runs.
struct SessionInfo {
  std::vector<std::string> sources;      ///< a camera each, as the user wrote them
  std::vector<gpu::ImageFormat> images;  ///< a camera each
  bool live = false;
  bool stills = false;  ///< frames share nothing: see SessionOptions
};

/// Whose ids a frame's tracks have.
enum class TrackKnowledge {
  causal,       ///< of tracks that go on; what comes later is not known yet
  provisional,  ///< the same, until the whole recording has been tracked: other ids will follow
  whole         ///< rows are as they are in the end, of the whole recording with these settings
};

/// One frame of one camera, measured and tracked.
struct CameraFrame {
  gpu::LayerMeasurement measured;   ///< its stamp is empty where the camera gave no frame
  std::vector<TrackRow> tracks;     ///< every confirmed track in this frame, by id
  std::vector<TrackRow> tentative;  ///< tracks measured here, not confirmed yet; id 0
  std::vector<TrackRow> finalised;  ///< rows that will not change any more, by frame and id
  std::vector<shared::Prediction> predicted;  ///< where its tracks were looked for: their gates
  /// Where tracks that it had lost should be, as points in space were just before: their trackers
  /// go by it. Empty without a rig.
  std::vector<Foretold> foretold;
  gpu::FrameLease pixels;  ///< null without a frame, and where nobody wants pixels
  uint32_t layer = 0;      ///< of `pixels`

  /// The pixels as they came. Call only where `pixels` is there.
  gpu::ImageView image() const { return pixels->layer(layer); }
};

/// Immutable once processors have made it. The last one of a pass holds no measurement, only the
/// rows that were still open.
struct Frame {
  SetIndex set;
  Epoch epoch;
  Pass pass;
  TrackKnowledge knowledge = TrackKnowledge::causal;
  double tracked = 0;  ///< s, the host's monotonic clock when it was
  double due = 0;      ///< s, the same clock: when it was to be played; 0: at no certain time
  std::shared_ptr<const Settings> settings;  ///< that it was measured and tracked with
  std::shared_ptr<const SessionInfo> session;
  std::vector<CameraFrame> cameras;
  FrameResults results;  ///< of the whole set: what later processors add

  bool provisional() const { return knowledge == TrackKnowledge::provisional; }
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

using FramePtr = std::shared_ptr<const Frame>;

}  // namespace glint::motion
