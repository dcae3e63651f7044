// Finds out where a camera that was moved stands now.
#pragma once

#include <optional>

#include "app/motion/space/camera_move_detector.h"
#include "app/motion/space/space_rig.h"

namespace glint::motion {

struct RigCorrection {
  Rig rig;              ///< with the camera's new pose, and its covariance where others have one
  double degrees = 0;   ///< that it was turned by
  double shift = 0;     ///< mm, that its centre was moved by
  bool beyond = false;  ///< further than the covariance of the rig allows, if it has one
};

/// Returns the rig with the pose that makes the camera see the points of `move.seen`, which other
/// cameras place, where it did. Uses Gauss-Newton with Huber's weights. A turn by a degree and a
/// shift by a centimetre or so are expected. Returns nothing if too few dots agree.
std::optional<RigCorrection> correctionOf(const SpaceRig& rig, const CameraMove& move,
                                          const RigCorrectionOptions& options);

}  // namespace glint::motion
