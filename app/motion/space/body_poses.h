// The poses of rigid bodies, set by set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/motion/space/body_tracker.h"
#include "app/motion/space/point_track.h"
#include "app/motion/space/set_clock.h"

namespace glint::motion {

/// Follows bodies among the tracks of points, and collects their poses, also in sets in which no
/// camera sees anything. A copy is independent.
class BodyPoses {
 public:
  BodyPoses(const std::vector<Body>& bodies, const BodyTrackerOptions& options)
      : tracker_(bodies, options) {}

  /// Takes the tracks of the newest set, and labels the rows of the bodies' markers.
  void follow(const SetClock& clock, const SpaceRig& rig, const NoiseFloor& floor,
              std::span<PointTrack> tracks);
  /// Predicts the poses for `frame`, a set without any dot after the newest one. This changes no
  /// state, so final poses do not depend on it.
  void foretell(uint64_t frame, const SetClock& clock, const SpaceRig& rig,
                const NoiseFloor& floor);
  /// Adds the predicted poses of the sets without a dot between `before` and `now` to the final
  /// ones.
  void fillGap(const SetClock& before, const SetClock& now, const SpaceRig& rig,
               const NoiseFloor& floor);
  /// Forgets where the bodies are, because the next set has nothing to do with the last one.
  void forget() { tracker_.forget(); }

  std::span<const KnownBody> bodies() const { return tracker_.bodies(); }
  /// Moves the poses and the notes that are new into `frame`.
  void give(SpaceFrame& frame);

 private:
  BodyTracker tracker_;
  std::vector<PoseRow> now_, final_;  // of the newest set, and those that are final; not given yet
};

}  // namespace glint::motion
