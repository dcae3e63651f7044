// Cameras from what they see of a board: the whole way.
#pragma once

#include "app/motion/calibrate/board.h"
#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// As calibrate() does it: every fifth moment is kept back for the figures, then all are fitted.
/// One camera alone gives its lens. Lengths are those of the board; sigmas come from the residuals.
/// Throws Error as startBoard(), or where a solution is no cameras'.
Calibration calibrateBoard(const BoardRecording& recording, const Board& board,
                           const CalibrationOptions& options);

/// What the account of a calibration takes beside it.
LightRecording recordingOf(const BoardRecording& recording);

}  // namespace glint::motion
