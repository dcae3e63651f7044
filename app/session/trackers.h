// The trackers of all cameras, and their expectations for the next frame.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/motion/frame/frame.h"
#include "app/motion/track/tracker.h"
#include "config/settings.h"

namespace glint::session {

/// What was measured of one camera in one set, as far as tracking goes by it.
struct TrackerInput {
  gpu::CameraState state = gpu::CameraState::none;
  motion::FrameTime at;
  std::vector<motion::Observation> seen;
  gpu::ResponseStatistics response;
  std::vector<motion::Foretold> foretold = {};  ///< see CameraFrame
};
TrackerInput inputOf(SetIndex set, const gpu::LayerMeasurement& measured);
/// What a frame of a session says.
TrackerInput inputOf(SetIndex set, const motion::CameraFrame& camera);

/// Sets the response that is expected of a camera.
void expectResponse(gpu::LayerExpectation& camera, const gpu::ResponseStatistics& own);

/// Used by one thread. A copy goes on by itself, with numbers for ids of its own.
class Trackers {
 public:
  /// `stills`: see SessionOptions::stills.
  Trackers(const Settings::Track& settings, size_t cameras, bool stills = false);
  Trackers(const Trackers& other);
  Trackers(Trackers&&) = default;
  Trackers& operator=(const Trackers& other) { return *this = Trackers(other); }
  Trackers& operator=(Trackers&&) = default;

  /// From the next frame on; tracks go on.
  void apply(const Settings::Track& settings);

  /// What was measured so far says nothing about the next frames' response.
  void forgetResponses();

  /// Whether no frame of this camera predicts the next one's response.
  bool lacksResponse(size_t camera) const { return expectations_[camera].pixels == 0; }

  /// Then: the statistics of that frame itself.
  void expect(size_t camera, const gpu::ResponseStatistics& own) {
    expectResponse(expectations_[camera], own);
  }

  /// Takes what was measured of all cameras: each one's `tracks`, `tentative` and `finalised` are
  /// set. One that has ended is finished; one without a frame, or away, keeps its tracks as they
  /// are.
  void update(const std::vector<TrackerInput>& inputs, std::vector<motion::CameraFrame>& cameras);

  /// Ends all tracks: the rows that are still open.
  std::vector<motion::CameraFrame> finish();

  const std::vector<gpu::LayerExpectation>& expectations() const { return expectations_; }
  uint64_t tracks() const { return ids_->given(); }
  uint64_t stitches() const;
  uint64_t repeats() const;  ///< frames that repeat the one before
  motion::Untracked untracked() const;

 private:
  void follow(size_t camera, const TrackerInput& input, motion::CameraFrame& frame);

  bool stills_;
  Settings::Track settings_;
  std::shared_ptr<motion::TrackIds> ids_;
  std::vector<motion::Tracker> trackers_;
  std::vector<gpu::LayerExpectation> expectations_;  // a camera each
};

}  // namespace glint::session
