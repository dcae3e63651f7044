// The summary of a calibration: how good it is, and why.
#pragma once

#include <string>
#include <vector>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// A word: excellent, good, fair or poor, by the pixels and the wand's lengths of moments that were
/// not used, lowered by what is not covered, does not fit or is in doubt; with what it rests on.
struct Grade {
  std::string word, because;
};
Grade gradeOf(const Calibration& calibration, const Target& target);

/// What the reader must know beside the figures, a sentence each: what lengths rest on, what is out
/// of order, and the one thing that would help most.
std::vector<std::string> notesOf(const Calibration& calibration, const LightRecording& recording,
                                 const CalibrationOptions& options);

/// Lines for a terminal: each camera, what was kept back, what is out of order, the grade, and the
/// one thing that would help most.
std::string accountText(const Calibration& calibration, const LightRecording& recording,
                        const CalibrationOptions& options);

/// The same as JSON, with the covariance's standard deviations by name.
std::string accountJson(const Calibration& calibration, const LightRecording& recording,
                        const CalibrationOptions& options);

}  // namespace glint::motion
