// Makes self-contained pages: one for a run, and one for a calibration.
#pragma once

#include <string>

#include "app/motion/calibrate/calibration.h"
#include "app/output/report/run.h"

namespace glint::output::report {

/// Returns a page as HTML, which needs no network access and is complete without its script. It
/// draws as many tracks, and as finely, as fit into 2 MB. Figures and distributions count all
/// tracks.
std::string makePage(const Run& run);

/// Returns a page as HTML without network access and script. It has the grade, the figures of each
/// camera, the covered parts of each image, the wand's lengths in moments that were kept back, the
/// pairs of cameras that see the same, and the precision of a light in three slices of the volume.
/// `name` is the rig's file.
std::string makeRigPage(const motion::Calibration& calibration,
                        const motion::LightRecording& recording,
                        const motion::CalibrationOptions& options, const std::string& name);

}  // namespace glint::output::report
