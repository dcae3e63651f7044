// Motion that tells next to nothing of cameras.
#pragma once

#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Throws Error where the target lay still, or moved along one straight line, in the images of all
/// cameras. Nothing where a camera has fewer than ten views with no other dot than the target's.
void refuseNarrowMotion(const LightRecording& recording, const Target& target);

}  // namespace glint::motion
