// Estimates how lights move from moment to moment, and which dots show them, once most are known.
#pragma once

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Sets the velocity and acceleration of the ends of each item. They belong to a parabola through
/// the item that fits its neighbours in time (Savitzky and Golay, 1964). An item needs two
/// neighbours; items with fewer get no motion. Returns false, and gives no item a motion, if fewer
/// than half of the items would get one.
bool estimateMotion(Bundle& bundle, const LightRecording& recording);

/// Finds again which dots are lights. For each light of each item it takes the nearest dot to the
/// place where the camera should see it at its own time, within `gate` standard deviations of the
/// dot times `scale`. Removes items if one of their ends is seen by fewer than two cameras.
void gateSights(Bundle& bundle, const LightRecording& recording, const Target& target, double gate,
                double scale);

}  // namespace glint::motion
