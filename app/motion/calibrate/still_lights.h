// Removes lights that stand still in an image: lamps, reflections and the LED rings of other
// cameras.
#pragma once

#include <cstddef>
#include <vector>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

/// Removes dots that stay at one place of an image, within some pixels, in more than 30 % of the
/// moments in which their camera sees anything. No light of a moving target does that. Many
/// identical moments would outweigh the others when two cameras are compared. Returns the cameras
/// that had such dots.
std::vector<size_t> removeStillLights(LightRecording& recording);

}  // namespace glint::motion
