#include "app/motion/calibrate/board_picture.h"

#include <algorithm>
#include <cmath>

#include "app/motion/calibrate/charuco.h"

namespace glint::motion {

BoardPicture::BoardPicture(const Board& board) : board_(board) {
  if (!board.charuco()) return;
  markers_.resize(static_cast<size_t>(board.columns + 1) * static_cast<size_t>(board.rows + 1));
  for (size_t i = 0; i < markerCount(board); ++i) {
    const cv::Mat bits = markerBits(board.dictionary, i);
    const cv::Point square = markerSquare(board, i, false);
    side_ = static_cast<size_t>(bits.cols);
    Bits& marker = markers_[static_cast<size_t>(square.y * (board.columns + 1) + square.x)];
    for (int k = 0; k < bits.rows * bits.cols; ++k) marker.push_back(bits.data[k] > 0);
  }
}

bool BoardPicture::covers(double x, double y) const {
  const double u = x / board_.square, v = y / board_.square;
  return u >= -2 && v >= -2 && u < board_.columns + 1 && v < board_.rows + 1;
}

bool BoardPicture::white(double x, double y) const {
  // Position in squares, counted from the corner of the first square.
  const double u = x / board_.square + 1, v = y / board_.square + 1;
  const int column = static_cast<int>(std::floor(u)), row = static_cast<int>(std::floor(v));
  if (column < 0 || row < 0 || column > board_.columns || row > board_.rows) return true;
  if ((column + row) % 2 == 0) return false;
  if (!board_.charuco()) return true;
  const Bits& marker = markers_[static_cast<size_t>(row * (board_.columns + 1) + column)];
  const auto bitAt = [&](double within) {  // `within` runs from 0 to 1 over the square
    return std::floor(((within - 0.5) * board_.square / board_.marker + 0.5) *
                      static_cast<double>(side_));
  };
  const double i = bitAt(u - column), j = bitAt(v - row), last = static_cast<double>(side_) - 1;
  if (i < 0 || j < 0 || i > last || j > last) return true;
  return marker[static_cast<size_t>(j) * side_ + static_cast<size_t>(i)];
}

}  // namespace glint::motion
