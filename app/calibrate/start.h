// Cameras from nothing: the first two by their epipolar geometry, the others by what these see.
#pragma once

#include "app/calibrate/solve.h"

namespace glint {

/// Cameras with the lenses that are known or a guess, priors, and what is free; none is placed.
Bundle unplaced(const LightRecording& recording, const CalibrationOptions& options);

/// The bundle's cameras, to some pixels, in the frame of the first; without items. Throws Error
/// as calibrate() does.
Bundle startRig(const LightRecording& recording, const CalibrationOptions& options);

}  // namespace glint
