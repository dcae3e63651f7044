// Cameras from nothing: the first two by their epipolar geometry, the others by what these see.
#pragma once

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// The bundle's cameras, to some pixels, in the frame of the first; without items. Throws Error
/// as calibrate() does.
Bundle startRig(const LightRecording& recording, const CalibrationOptions& options);

}  // namespace glint::motion
