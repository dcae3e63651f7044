// Printed boards of either kind: as they are named, and where they are in an image.
#pragma once

#include <cstdint>
#include <string>

#include "app/motion/calibrate/board.h"

namespace glint::motion {

/// Reads "chessboard:9x6:25mm" (inner corners; side of a square) or
/// "charuco:5x7:40mm:30mm:DICT_4X4_50" (squares; side of a square, and of a marker; dictionary).
/// Throws UsageError.
Board parseBoard(const std::string& text);

/// Finds a whole chessboard, by OpenCV's findChessboardCorners() and cornerSubPix(), or any part of
/// a ChArUco board, see charuco.h. `grey`: rows of `size.width` pixels without gaps.
BoardView findBoard(const Board& board, const FrameExtent& size, const uint8_t* grey);

}  // namespace glint::motion
