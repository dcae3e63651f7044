// The trackers of all cameras, and their expectations for the next frame.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/motion/frame/frame.h"
#include "app/motion/track/tracker.h"
#include "config/settings.h"

namespace glint::session {

/// The measurements of one camera in a set, as far as tracking depends on them.
struct TrackerInput {
  gpu::CameraState state = gpu::CameraState::none;
  motion::FrameTime at;
  std::vector<motion::Observation> seen;
  gpu::ResponseStatistics response;
  /// See CameraFrame::predictedPlaces.
  std::vector<motion::PredictedPlace> predictedPlaces = {};
};
/// Returns the input for one camera's measurement, without predictions from other cameras.
TrackerInput inputOf(SetIndex set, const gpu::LayerMeasurement& measured);
/// Returns the input for a camera of a frame, including CameraFrame::predictedPlaces.
TrackerInput inputOf(SetIndex set, const motion::CameraFrame& camera);

/// Sets the expected response of a camera to `own`.
void expectResponse(gpu::LayerExpectation& camera, const gpu::ResponseStatistics& own);

/// The trackers of all cameras of a session. A copy is independent and gives ids of its own. Used
/// by one thread.
class CameraTrackers {
 public:
  /// For `stills` see SessionOptions::stills.
  CameraTrackers(const Settings::Track& settings, size_t cameras, bool stills = false);
  CameraTrackers(const CameraTrackers& other);
  CameraTrackers(CameraTrackers&&) = default;
  CameraTrackers& operator=(const CameraTrackers& other) { return *this = CameraTrackers(other); }
  CameraTrackers& operator=(CameraTrackers&&) = default;

  /// Uses these settings from the next frame on. Tracks continue.
  void apply(const Settings::Track& settings);

  /// Forgets the measured responses, because they do not predict those of the next frames.
  void forgetResponses();

  /// Returns true if no earlier frame of this camera predicts the response of its next one.
  bool lacksResponse(size_t camera) const { return expectations_[camera].pixels == 0; }

  /// Sets the expected response to the statistics of the frame itself. Call if lacksResponse().
  void expect(size_t camera, const gpu::ResponseStatistics& own) {
    expectResponse(expectations_[camera], own);
  }

  /// Processes the measurements of all cameras, and sets `tracks`, `tentative` and `finalised` of
  /// each. The tracks of a camera that has ended are finished. A camera that has no frame, or is
  /// lost, keeps its tracks as they are.
  void update(const std::vector<TrackerInput>& inputs, std::vector<motion::CameraFrame>& cameras);

  /// Ends all tracks, and returns the rows that were not final yet.
  std::vector<motion::CameraFrame> finish();

  const std::vector<gpu::LayerExpectation>& expectations() const { return expectations_; }
  uint64_t tracks() const { return ids_->given(); }
  uint64_t stitches() const;
  /// Returns the number of frames that repeat the previous one.
  uint64_t repeats() const;
  motion::Untracked untracked() const;

 private:
  void follow(size_t camera, const TrackerInput& input, motion::CameraFrame& frame);

  bool stills_;  // true if the frames are unrelated pictures
  Settings::Track settings_;
  std::shared_ptr<motion::TrackIds> ids_;
  std::vector<motion::Tracker> trackers_;
  // One for each camera.
  std::vector<gpu::LayerExpectation> expectations_;
};

}  // namespace glint::session
