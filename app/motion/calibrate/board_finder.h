// Printed boards of both kinds: parses their names and finds them in images.
#pragma once

#include <cstdint>
#include <string>

#include "app/motion/calibrate/board.h"

namespace glint::motion {

/// Parses "chessboard:9x6:25mm" (inner corners; side of a square) or
/// "charuco:5x7:40mm:30mm:DICT_4X4_50" (squares; side of a square; side of a marker; dictionary).
/// Throws UsageError if the text is anything else or a number is out of range.
Board parseBoard(const std::string& text);

/// Finds a whole chessboard with OpenCV's findChessboardCorners() and cornerSubPix(), or any part
/// of a ChArUco board (see charuco.h). A board that is printed in white on black is found, too.
/// `grey` has rows of `size.width` pixels without gaps.
BoardView findBoard(const Board& board, const FrameExtent& size, const uint8_t* grey);

}  // namespace glint::motion
