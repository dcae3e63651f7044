// How lights move from moment to moment, and which dots are theirs, once most are known.
#pragma once

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Gives each item the velocity and acceleration of its ends, of a parabola through it and its
/// neighbours in time (Savitzky and Golay, 1964), at least one on either side or two; none to items
/// that have none. False, and none to any, where fewer than half of the items have neighbours.
bool estimateMotion(Bundle& bundle, const LightRecording& recording);

/// Looks again which dots are lights: of each item, the nearest to where its lights are seen at the
/// camera's own time, within `gate` standard deviations (of the dot, times `scale`). Items of whose
/// ends one is seen by fewer than two cameras are left out.
void gateSights(Bundle& bundle, const LightRecording& recording, const Target& target, double gate,
                double scale);

}  // namespace glint::motion
