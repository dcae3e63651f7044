// Initial guess of cameras from views of a board, before all of them are adjusted together.
#pragma once

#include "app/motion/calibrate/board_bundle.h"
#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Returns a first guess of lenses, camera poses and the board's places. Each lens comes from
/// OpenCV's calibrateCamera(), with the refinement window that leaves the smallest residual.
/// Cameras are placed one after the other, each by the placed camera with which it shares most
/// views. A chessboard can be seen from either end, and each view is explained by two poses that
/// look nearly alike; the poses that agree with most views are taken. Throws Error if a camera has
/// too few views, or too few in common with the others.
BoardBundle startBoard(const BoardRecording& recording, const Board& board,
                       const CalibrationOptions& options);

}  // namespace glint::motion
