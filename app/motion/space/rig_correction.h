// Where a camera that was moved stands now.
#pragma once

#include <optional>
#include <span>

#include "app/motion/space/camera_move_detector.h"
#include "app/motion/space/space_rig.h"

namespace glint::motion {

struct RigCorrection {
  Rig rig;              ///< with the camera's new pose, and its covariance where others have one
  double degrees = 0;   ///< that it was turned by
  double shift = 0;     ///< mm, that its centre was moved by
  bool beyond = false;  ///< further than the covariance of the rig allows, if it has one
};

/// The pose that makes the camera see points where it did, by Gauss-Newton with Huber's weights.
/// Points that other cameras place: `seen` of CameraMove. What is known before is that a move turns
/// a camera by a degree and shifts it by a centimetre or so. Empty where too few agree.
std::optional<RigCorrection> correctionOf(const SpaceRig& rig, const CameraMove& move);

}  // namespace glint::motion
