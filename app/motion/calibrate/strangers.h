// Cameras that do not belong to the others.
#pragma once

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Throws Error naming the camera of whose dots fewest fit the rig, if these are less than a third
/// of those that should: what a camera that is mirrored, is late or saw something else fits by
/// chance, its other numbers follow. See CameraFigures::offered.
void refuseStrangers(const Bundle& bundle, const LightRecording& recording, const Target& target);

/// Throws Error where two cameras stand in one place, as of a recording that was given twice.
void refuseTwins(const Bundle& bundle);

}  // namespace glint::motion
