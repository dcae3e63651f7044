// Calibrates cameras with a printed board, from start to end.
#pragma once

#include "app/motion/calibrate/board.h"
#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Calibrates the cameras of a recording of a board. Like calibrate(), it first keeps back every
/// fifth moment to measure the errors, and then fits all moments. A single camera gets its lens
/// only. The board sets the scale, and the sigmas come from the residuals. Throws Error if
/// startBoard() does, if a lens is implausible, or if the views do not determine the cameras.
Calibration calibrateBoard(const BoardRecording& recording, const Board& board,
                           const CalibrationOptions& options);

/// Returns the recording in the form that accountText() and accountJson() take, without moments.
LightRecording recordingOf(const BoardRecording& recording);

}  // namespace glint::motion
