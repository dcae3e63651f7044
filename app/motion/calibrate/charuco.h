// ChArUco boards: chessboards with ArUco markers in their white squares.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <opencv2/core.hpp>

#include "app/motion/calibrate/board.h"

namespace glint::motion {

/// Whether OpenCV has a dictionary of that name, such as "DICT_4X4_50".
bool isMarkerDictionary(std::string_view name);

/// How many markers the board has, and its dictionary.
size_t markerCount(const Board& board);
size_t markersInDictionary(const std::string& dictionary);

/// A marker with its black border, a byte a bit, 0 where it is black.
cv::Mat markerBits(const std::string& dictionary, size_t index);

/// Where marker `index` of the board lies: column and row of its square. The markers run row by row
/// over the white squares. The first square is black, or white as in OpenCV before 4.6 where the
/// board has an even number of rows.
cv::Point markerSquare(const Board& board, size_t index, bool firstWhite);

/// Corners of a ChArUco board between two markers that are both seen, refined by cornerSubPix() in
/// a window that no marker reaches into. At least six, in two rows of two or more.
BoardView findCharuco(const Board& board, const cv::Mat& grey);

/// Why images (grey) do not show this board: mirrored, another dictionary, other numbers of
/// squares. Empty where there is nothing to say.
std::string charucoDoubt(const Board& board, std::span<const cv::Mat> images);

}  // namespace glint::motion
