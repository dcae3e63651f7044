// Calibrates cameras with a light or a wand, from start to end.
#pragma once

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Calibrates without any guess from outside. It first keeps back every fifth moment to measure the
/// errors, and then fits all moments. The result is deterministic. Throws Error with one sentence
/// if the recording does not suffice: only one camera, too few moments, cameras without common
/// moments, motion in a plane, a focal length that is not determined, implausible cameras, or a
/// wand that contradicts the stated one.
Calibration calibrate(const LightRecording& recording, const CalibrationOptions& options);

}  // namespace glint::motion
