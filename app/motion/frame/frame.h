// A frame: everything that a session knows about one moment of all its cameras. Sinks receive it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/motion/frame/results.h"
#include "app/motion/track/observation.h"
#include "app/motion/track/predicted_place.h"
#include "config/numbers.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::motion {

/// Facts about a session that stay the same while it runs.
struct SessionInfo {
  /// One source for each camera, as the user wrote it.
  std::vector<std::string> sources;
  /// One format for each camera.
  std::vector<gpu::ImageFormat> images;
  bool live = false;
  /// True if the frames are unrelated pictures, so that no marker is followed from one to the next.
  /// See SessionOptions.
  bool stills = false;
};

/// Origin of the ids of a frame's tracks.
enum class TrackKnowledge {
  /// Tracking is still going on. The ids are based on this frame and earlier ones only.
  causal,
  /// The ids are based on this frame and earlier ones only. They will be replaced once the whole
  /// recording has been tracked.
  provisional,
  /// The whole recording has been tracked with these settings, and the rows are final.
  whole
};

/// One frame of one camera, measured and tracked.
struct CameraFrame {
  /// Detections and statistics. The stamp is empty if the camera gave no frame.
  gpu::LayerMeasurement measured;
  /// Every confirmed track in this frame, sorted by id.
  std::vector<TrackRow> tracks;
  /// Tracks that are measured in this frame but not confirmed yet. Their id is 0.
  std::vector<TrackRow> tentative;
  /// Rows that cannot change any more, sorted by frame and id. They may belong to earlier frames.
  std::vector<TrackRow> finalised;
  /// The places and gates that the tracker searched for its tracks in this frame.
  std::vector<shared::Prediction> predicted;
  /// Predicted places of tracks that this camera has lost, computed from the points in space of the
  /// previous set. The camera's tracker uses them. Empty without a rig.
  std::vector<PredictedPlace> predictedPlaces;
  /// Keeps the image from being overwritten. Null if there is no frame, or if nobody needs its
  /// pixels.
  gpu::FrameLease pixels;
  /// The layer of `pixels` that holds this camera's image.
  uint32_t layer = 0;

  /// Returns the image as the source delivered it. `pixels` must not be null.
  gpu::ImageView image() const { return pixels->layer(layer); }
};

/// One moment of all cameras with its results. Processors complete it; after that it is immutable
/// and may be shared by threads. The last frame of a pass holds no measurement, only the rows that
/// were not final before.
struct Frame {
  SetIndex set;
  Epoch epoch;
  Pass pass;
  TrackKnowledge knowledge = TrackKnowledge::causal;
  /// Time at which the frame was tracked, in seconds of the host's monotonic clock.
  double tracked = 0;
  /// Time at which the frame was to be played, on the same clock in seconds. 0 if playing had no
  /// schedule.
  double due = 0;
  /// The settings that the frame was measured and tracked with.
  std::shared_ptr<const Settings> settings;
  std::shared_ptr<const SessionInfo> session;
  std::vector<CameraFrame> cameras;
  /// Results about the whole set, added by processors after tracking.
  FrameResults results;

  bool provisional() const { return knowledge == TrackKnowledge::provisional; }
  /// Returns true if at least one camera gave a frame.
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
