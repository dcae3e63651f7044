// Checks that refuse recordings from which no calibration can come. Each explains why in a
// sentence.
#pragma once

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Throws Error if the target lay still, or moved along one straight line, in the images of all
/// cameras. Does nothing if a camera has fewer than ten views with no other dot than the target's.
void refuseNarrowMotion(const LightRecording& recording, const Target& target);

/// Throws Error if a camera fits the rig badly: less than a third of its dots that should fit
/// (CameraFigures::offered) do. The camera is named only if the others, two or more, agree with
/// each other much better. A camera that is mirrored, is late or saw something else fits some dots
/// by chance, and its other figures can look good then.
void refuseStrangers(const Bundle& bundle, const LightRecording& recording, const Target& target);

/// Throws Error if two cameras stand in one place, as when a recording was given twice.
void refuseTwins(const Bundle& bundle);

}  // namespace glint::motion
