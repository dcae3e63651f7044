// Cameras from what they see of a light or a wand: the whole way.
#pragma once

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Starts without a guess, adjusts, and judges: every fifth moment is kept back for the figures,
/// then all are fitted. Deterministic. Throws Error, one sentence, where the recording does not
/// suffice: one camera, too few moments, no overlap (by camera), a plane, a focal length that
/// cannot be determined, a solution that no cameras have, or another wand than was told.
Calibration calibrate(const LightRecording& recording, const CalibrationOptions& options);

}  // namespace glint::motion
