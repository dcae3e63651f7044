// Finds the new pose of a camera that was moved.
#pragma once

#include <optional>

#include "app/motion/space/camera_move_detector.h"
#include "app/motion/space/space_rig.h"

namespace glint::motion {

struct RigCorrection {
  /// The rig with the camera's new pose, and with its covariance if the rig has one.
  Rig rig;
  /// Angle by which the camera was turned.
  double degrees = 0;
  /// Distance by which the camera's centre was moved, mm.
  double shift = 0;
  /// True if the change is larger than the covariance of the rig explains. False if it has none.
  bool beyond = false;
};

/// Returns the rig with the camera's new pose. With it, the camera sees the points of `move.seen`,
/// which other cameras locate, at the dots that it saw. Uses Gauss-Newton steps with Huber's
/// weights, and expects a rotation of about a degree and a shift of about a centimetre (see the
/// options). Returns nothing if too few dots agree.
std::optional<RigCorrection> correctionOf(const SpaceRig& rig, const CameraMove& move,
                                          const RigCorrectionOptions& options);

}  // namespace glint::motion
