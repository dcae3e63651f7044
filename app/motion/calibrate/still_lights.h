// Lights that stand still in an image: lamps, reflections and other cameras' rings of LEDs.
#pragma once

#include <cstddef>
#include <vector>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

/// Takes out what stays at one place of an image, within some pixels, in more than 30 % of the
/// moments in which its camera sees anything: no light of a target that moves. Many moments alike
/// would outweigh the others where two cameras are compared. Returns the cameras that had such.
std::vector<size_t> removeStillLights(LightRecording& recording);

}  // namespace glint::motion
