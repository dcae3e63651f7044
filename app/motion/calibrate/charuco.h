// ChArUco boards: chessboards with ArUco markers in their white squares.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <opencv2/core.hpp>

#include "app/motion/calibrate/board.h"

namespace glint::motion {

/// Returns true if OpenCV has a marker dictionary with this name, such as "DICT_4X4_50".
bool isMarkerDictionary(std::string_view name);

/// Returns the number of markers on the board. markersInDictionary() returns that of its
/// dictionary.
size_t markerCount(const Board& board);
size_t markersInDictionary(const std::string& dictionary);

/// Returns the picture of a marker with its black border: one byte for each bit, 0 for black.
cv::Mat markerBits(const std::string& dictionary, size_t index);

/// Returns the column and row of the square that has marker `index`. Markers are counted row by row
/// over the white squares. The first square of the board is black. `firstWhite` is for boards that
/// OpenCV made before 4.6: if their number of rows is even, the first square is white.
cv::Point markerSquare(const Board& board, size_t index, bool firstWhite);

/// Finds corners of a ChArUco board. Each lies between two visible markers and is refined by
/// cornerSubPix() in a window that contains no part of a marker. Returns at least six corners, in
/// two or more rows of two or more, or none.
BoardView findCharuco(const Board& board, const cv::Mat& grey);

/// Returns a reason why `images` (grey) do not show this board: they are mirrored, or the board has
/// another dictionary, other sizes or another number of squares. Returns an empty text if no reason
/// is found.
std::string charucoDoubt(const Board& board, std::span<const cv::Mat> images);

}  // namespace glint::motion
