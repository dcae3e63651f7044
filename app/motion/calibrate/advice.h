// What would make a calibration better.
#pragma once

#include <string>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// The one thing that would help most; empty where there is none. `timed` as of the recording.
std::string adviceOf(const Calibration& calibration, const Target& target, bool timed);

}  // namespace glint::motion
