// Collects the poses of rigid bodies, set by set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/motion/space/body_tracker.h"
#include "app/motion/space/point_track.h"
#include "app/motion/space/set_clock.h"

namespace glint::motion {

/// Follows bodies among the tracks of points and collects their poses. Poses are predicted for sets
/// in which no camera sees anything. A copy is independent.
class BodyPoses {
 public:
  BodyPoses(const std::vector<Body>& bodies, const BodyTrackerOptions& options)
      : tracker_(bodies, options) {}

  /// Takes the tracks of the newest set, and writes body and marker into the rows of those that are
  /// markers.
  void follow(const SetClock& clock, const SpaceRig& rig, const NoiseFloor& floor,
              std::span<PointTrack> tracks);
  /// Predicts the poses for `frame`, a set without any dot that comes after the newest one. The
  /// state does not change, so the final poses do not depend on such calls.
  void predict(uint64_t frame, const SetClock& clock, const SpaceRig& rig, const NoiseFloor& floor);
  /// Adds predicted poses to the final ones for the sets without a dot between `before` and `now`.
  void fillGap(const SetClock& before, const SetClock& now, const SpaceRig& rig,
               const NoiseFloor& floor);
  /// Forgets where the bodies are, because the next set has no connection with the last one.
  void forget() { tracker_.forget(); }

  std::span<const KnownBody> bodies() const { return tracker_.bodies(); }
  /// Moves new poses and notes into `frame`.
  void give(SpaceFrame& frame);

 private:
  BodyTracker tracker_;
  // Poses of the newest set, and final poses, that give() has not moved yet.
  std::vector<PoseRow> now_, final_;
};

}  // namespace glint::motion
