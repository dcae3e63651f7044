// Cameras from a board whose every view stands for itself, before all is adjusted together.
#pragma once

#include "app/motion/calibrate/board_bundle.h"
#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Each camera's lens by OpenCV's calibrateCamera(), with the window of corners that leaves least;
/// then cameras by what they see together, along the tree of most shared views; then the board's
/// places. A chessboard may be seen from either end, and each view has two poses that are nearly
/// alike: what most views agree on counts. Throws Error where a camera has too few views, or none
/// in common.
BoardBundle startBoard(const BoardRecording& recording, const Board& board,
                       const CalibrationOptions& options);

}  // namespace glint::motion
