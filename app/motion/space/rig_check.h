// Detects during a run that a camera is in another place than the rig says.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/motion/space/camera_doubts.h"
#include "app/motion/space/camera_move_detector.h"
#include "app/motion/space/point_track.h"
#include "app/motion/space/ray_misses.h"
#include "app/motion/space/rig_check_options.h"
#include "app/motion/space/set_clock.h"

namespace glint::motion {

/// Owns the rig, compares it with what the cameras see, and corrects cameras that were moved if the
/// rig allows that (SpaceRig::corrects()). A copy is independent.
class RigCheck {
 public:
  RigCheck(std::shared_ptr<const SpaceRig> rig, const RigCheckOptions& options);

  const std::shared_ptr<const SpaceRig>& rig() const { return rig_; }

  /// Counts the dots of a set, once those of points are marked as used.
  void count(const DotIndex& dots);
  /// Compares where each camera sees the points of a set with where the other cameras predict them.
  /// Returns true if the rig was corrected.
  bool compare(const SpaceSet& set, const DotIndex& dots, std::span<const PointTrack> tracks,
               const SetClock& clock, const NoiseFloor& floor);

  /// Returns the corrections of the rig so far, a few words each.
  const std::vector<std::string>& corrections() const { return corrections_; }
  /// Returns a sentence for each camera that has stood elsewhere than the rig says since the first
  /// set, and one if the rays of two cameras do not fit each other.
  std::vector<std::string> doubts(const NoiseFloor& floor) const;
  /// Returns new sentences for the user.
  std::vector<std::string> takeNotes() { return std::exchange(notes_, {}); }

 private:
  bool correct(const CameraMove& move, uint64_t frame);

  std::shared_ptr<const SpaceRig> rig_;
  RigCheckOptions options_;
  CameraMoveDetector moves_;
  CameraDoubts doubts_;
  RayMisses misses_;
  std::vector<std::string> corrections_;
  // Notes that were not returned yet.
  std::vector<std::string> notes_;
};

}  // namespace glint::motion
