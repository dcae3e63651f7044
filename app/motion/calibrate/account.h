// Summarises a calibration: how good it is, and why.
#pragma once

#include <string>
#include <vector>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// A grade and its reasons. `because` states the figures that `word` rests on.
struct Grade {
  std::string word, because;
};

/// Returns how accurate the rig is: excellent, good, fair or poor. That depends on the residuals
/// and the wand's lengths in moments that the fit has not used. It is lowered if dots do not fit, a
/// camera was moved, or there are doubts.
Grade gradeOf(const Calibration& calibration, const Target& target);

/// Returns how well the recording covers the images: good, fair or poor. That depends on the image
/// that is covered least, among those of cameras whose lenses were estimated, and on the number of
/// moments that were kept back to measure the accuracy.
Grade coverageOf(const Calibration& calibration, const Target& target);

/// Returns facts that the reader must know beside the figures, one sentence each: what went wrong,
/// and the one thing that would help most.
std::vector<std::string> notesOf(const Calibration& calibration, const LightRecording& recording,
                                 const CalibrationOptions& options);

/// Returns lines for a terminal: a row for each camera, the figures of the moments kept back, the
/// grade, and notesOf().
std::string accountText(const Calibration& calibration, const LightRecording& recording,
                        const CalibrationOptions& options);

/// Returns the contents of accountText() as JSON, with the standard deviation of each estimated
/// parameter by its name.
std::string accountJson(const Calibration& calibration, const LightRecording& recording,
                        const CalibrationOptions& options);

}  // namespace glint::motion
