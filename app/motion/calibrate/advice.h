// Advice on how to make a calibration better.
#pragma once

#include <string>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Returns the one thing that would help most, or an empty text if there is none. `timed` is
/// LightRecording::timed.
std::string adviceOf(const Calibration& calibration, const Target& target, bool timed);

}  // namespace glint::motion
