// A calibration as one self-contained page.
#pragma once

#include <string>

#include "app/calibrate/calibration.h"

namespace glint::report {

/// HTML without network access or script: grade, figures of each camera, what its image was covered
/// by, the wand's lengths in moments kept back, who sees whom, and how well a light is placed in
/// three slices of the volume. `name`: of the rig's file.
std::string makeRigPage(const Calibration& calibration, const LightRecording& recording,
                        const CalibrationOptions& options, const std::string& name);

}  // namespace glint::report
