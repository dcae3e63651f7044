// The printed picture of a board.
#pragma once

#include <vector>

#include "app/motion/calibrate/board.h"

namespace glint::motion {

/// Tells for each place of a board's sheet of paper whether it is black or white.
class BoardPicture {
 public:
  explicit BoardPicture(const Board& board);

  /// Returns true if the print is white at (x, y), mm, in the coordinates of Board::corner(). The
  /// print consists of the squares, the markers, and a white margin as wide as a square.
  bool white(double x, double y) const;
  /// Returns true if the paper, including the margin, covers (x, y).
  bool covers(double x, double y) const;

 private:
  /// The bits of one marker with its black border, row by row.
  using Bits = std::vector<bool>;

  Board board_;
  // Bits along a side of a marker, including its border.
  size_t side_ = 0;
  // One entry for each square, row by row; empty if the square has no marker.
  std::vector<Bits> markers_;
};

}  // namespace glint::motion
