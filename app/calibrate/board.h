// A printed chessboard, and where its inner corners are in an image.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/calibrate/recording.h"

namespace glint {

struct Board {
  int columns = 0, rows = 0;  ///< inner corners
  double square = 0;          ///< mm

  size_t count() const { return static_cast<size_t>(columns) * static_cast<size_t>(rows); }
  /// Corner `index`, row by row, on the board: z is 0, mm.
  Eigen::Vector3d corner(size_t index) const;
  /// The same seen upside down: a board may be found from either end.
  size_t turned(size_t index) const { return count() - 1 - index; }
};

/// Reads "chessboard:9x6:25mm". Throws UsageError.
Board parseBoard(const std::string& text);

/// Windows in which corners are refined, px to either side: which is best depends on blur and size.
constexpr std::array<int, 5> kCornerWindows{4, 5, 6, 7, 8};

/// The corners of one image, row by row, by each window; without corners where no board is seen.
struct BoardView {
  std::array<std::vector<Eigen::Vector2d>, kCornerWindows.size()> corners;

  bool seen() const { return !corners[0].empty(); }
};

/// Finds the whole board, by OpenCV's findChessboardCorners() and cornerSubPix(). `grey`: rows of
/// `size.width` pixels without gaps.
BoardView findBoard(const Board& board, const FrameExtent& size, const uint8_t* grey);

/// What cameras saw of a board, moment by moment.
struct BoardRecording {
  std::vector<FrameExtent> sizes;  ///< a camera each
  struct Moment {
    double time = 0;               ///< s
    std::vector<BoardView> views;  ///< a camera each
  };
  std::vector<Moment> moments;
};

}  // namespace glint
