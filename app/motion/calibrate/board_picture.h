// What is printed on a board.
#pragma once

#include <vector>

#include "app/motion/calibrate/board.h"

namespace glint::motion {

class BoardPicture {
 public:
  explicit BoardPicture(const Board& board);

  /// Whether the print is white at (x, y), mm, in the frame of Board::corner(): squares, markers,
  /// and around them a margin as wide as a square.
  bool white(double x, double y) const;
  /// Whether the paper, with its margin, reaches there.
  bool covers(double x, double y) const;

 private:
  /// The bits of one marker with its black border, row by row.
  using Bits = std::vector<bool>;

  Board board_;
  size_t side_ = 0;            // bits of a marker, with the border
  std::vector<Bits> markers_;  // by row and column of the squares; empty where there is none
};

}  // namespace glint::motion
