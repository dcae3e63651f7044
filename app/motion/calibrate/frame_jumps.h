// Finds a camera that lost or repeated frames in the middle of a recording, from a fitted rig.
#pragma once

#include <vector>

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/frame_shifts.h"

namespace glint::motion {

/// Returns the shift of each camera's frames that explains the residuals of a fitted bundle best,
/// if one camera's shift changes once. For each camera and each moment, one Gauss-Newton step with
/// the lights held tells how much two time offsets, before and after that moment, explain better
/// than one. Unlike findFrameShifts() it knows the lenses, so it finds a lost frame even if lights
/// are slow. Returns none if the offsets of no camera differ by a frame, or if the motion of the
/// lights is not known.
std::vector<FrameShift> findFrameJump(Bundle bundle, const LightRecording& recording,
                                      const Target& target);

}  // namespace glint::motion
