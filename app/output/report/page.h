// A run, and a calibration, each as one self-contained page.
#pragma once

#include <string>

#include "app/motion/calibrate/calibration.h"
#include "app/output/report/run.h"

namespace glint::output::report {

/// HTML without network access, complete without its script. As many tracks are drawn, and as
/// finely, as leave the page below 2 MB; figures and distributions count all.
std::string makePage(const Run& run);

/// HTML without network access or script: grade, figures of each camera, what its image was covered
/// by, the wand's lengths in moments kept back, who sees whom, and how well a light is placed in
/// three slices of the volume. `name`: of the rig's file.
std::string makeRigPage(const motion::Calibration& calibration,
                        const motion::LightRecording& recording,
                        const motion::CalibrationOptions& options, const std::string& name);

}  // namespace glint::output::report
