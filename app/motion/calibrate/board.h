// A printed board, a chessboard or ChArUco, and what images show of its inner corners.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

struct Board {
  int columns = 0, rows = 0;    ///< inner corners
  double square = 0;            ///< mm
  double marker = 0;            ///< mm, side of a ChArUco board's markers; 0: a chessboard
  std::string dictionary = {};  ///< of the markers: "DICT_4X4_50"

  /// Has markers in its white squares: any part of it says which part it is.
  bool charuco() const { return marker > 0; }
  size_t count() const { return static_cast<size_t>(columns) * static_cast<size_t>(rows); }
  /// Corner `index`, row by row, on the board: z is 0, mm.
  Eigen::Vector3d corner(size_t index) const;
  /// The same seen upside down: a chessboard may be found from either end.
  size_t turned(size_t index) const { return count() - 1 - index; }
};

/// Windows in which corners are refined, px to either side: which is best depends on blur and size.
constexpr std::array<int, 5> kCornerWindows{4, 5, 6, 7, 8};

/// The corners in one image, by each window; none where no board is seen.
struct BoardView {
  std::vector<size_t> which;  ///< of the board's corners, rising; of a chessboard all or none
  std::array<std::vector<Eigen::Vector2d>, kCornerWindows.size()> corners;  ///< one for each
  double markerSide = 0;  ///< mm, as seen beside the squares, of a ChArUco board

  bool seen() const { return !which.empty(); }
};

constexpr size_t kLeastBoardViews = 5;  ///< of a camera, to calibrate it

/// What cameras saw of a board, moment by moment.
struct BoardRecording {
  std::vector<FrameExtent> sizes;  ///< a camera each
  struct Moment {
    double time = 0;               ///< s
    std::vector<BoardView> views;  ///< a camera each
  };
  std::vector<Moment> moments;
  /// A camera each, or none: what may be wrong where it does not see the board, a sentence's part.
  std::vector<std::string> doubts = {};
};

}  // namespace glint::motion
