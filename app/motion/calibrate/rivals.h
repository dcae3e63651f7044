// Chooses between explanations of a recording: cameras in step and at rest, frames that are counted
// wrongly, images that are read row by row, or a camera that was moved.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/motion/calibrate/explained_fit.h"

namespace glint::motion {

struct BestExplanation {
  std::unique_ptr<ExplainedFit> fit;
  /// The shift of each camera's frames, or none if there are no shifts.
  std::vector<FrameShift> shifts;
  /// A camera that was moved, if nothing else explains the recording better. Then `fit` has one
  /// camera more: see ExplainedFit::fitSplit().
  std::optional<MovedCamera> moved;
};

/// Fits the cameras. If the fit is doubtful, it tries other explanations, and takes the one with
/// the smallest error in moments kept back. Throws Error as calibrate() does. `options` must
/// outlive the result.
BestExplanation explain(const LightRecording& recording, const CalibrationOptions& options);

}  // namespace glint::motion
