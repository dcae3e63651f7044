// Summarises a calibration: how good it is, and why.
#pragma once

#include <string>
#include <vector>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// A grade and its reasons. `word` is excellent, good, fair or poor. It depends on the residuals
/// and the wand's lengths in moments that the fit has not used. It is lowered if much of an image
/// is not covered, dots do not fit, or there are doubts. `because` states the figures that it rests
/// on.
struct Grade {
  std::string word, because;
};
Grade gradeOf(const Calibration& calibration, const Target& target);

/// Returns facts that the reader must know beside the figures, one sentence each: which given
/// length sets the scale, what went wrong, and the one thing that would help most.
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
