// The trackers of all cameras, and what they expect of the next frame.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/frame/session_frame.h"
#include "app/track/tracker.h"
#include "config/settings.h"

namespace glint {

/// Used by one thread. A copy goes on by itself, but gives its ids from the same numbers.
class Trackers {
 public:
  /// `stills`: see SessionOptions::stills.
  Trackers(const Settings::Track& settings, size_t cameras, bool stills = false);

  /// From the next frame on; tracks go on.
  void apply(const Settings::Track& settings);

  /// What was measured so far says nothing about the next frames' response.
  void forgetResponses();

  /// Whether no frame of this camera tells what the response of the next one is.
  bool lacksResponse(size_t camera) const { return expectations_[camera].pixels == 0; }

  /// Then: the statistics of that frame itself.
  void expect(size_t camera, const ResponseStatistics& own);

  /// Takes what was measured of all cameras. One that has ended is finished; one without a frame,
  /// or away, keeps its tracks as they are.
  std::vector<CameraFrame> update(std::vector<LayerMeasurement> measured);

  /// Ends all tracks: the rows that are still open.
  std::vector<CameraFrame> finish();

  const std::vector<LayerExpectation>& expectations() const { return expectations_; }
  uint64_t tracks() const { return ids_->given(); }
  uint64_t stitches() const;
  uint64_t repeats() const;  ///< frames that showed the one before once more

 private:
  void follow(size_t camera, CameraFrame& frame);

  bool stills_;
  Settings::Track settings_;
  std::shared_ptr<TrackIds> ids_;
  std::vector<Tracker> trackers_;
  std::vector<LayerExpectation> expectations_;  // a camera each
};

}  // namespace glint
