// Tables of the corners of a board that cameras saw, from which a calibration can be computed
// again.
#pragma once

#include <string>
#include <vector>

#include "app/motion/calibrate/board_views.h"

namespace glint::motion {

/// Returns a table that readCorners() reads as the same views. It has a row for each corner: the
/// columns camera, time_s (of the frame, without offsets), interval_s (the camera's median frame
/// interval, 0 if unknown), marker_mm (BoardView::markerSide), corner (its index), and its place in
/// the image as each window of kCornerWindows refined it, px: x4, y4, x5, y5 and so on.
std::string cornersText(const std::vector<CameraViews>& cameras);

/// Reads such a table. A single size counts for all cameras. Throws Error naming the file if
/// CsvReader refuses a value, a corner is not one of the board, is there twice, or lies outside its
/// image, a chessboard is not whole, a camera has no size, or there are no rows.
std::vector<CameraViews> readCorners(const std::string& path, const Board& board,
                                     std::vector<FrameExtent> sizes);

}  // namespace glint::motion
