// A printed board, a chessboard or a ChArUco board, and its inner corners as images show them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

struct Board {
  /// Inner corners in a row and in a column.
  int columns = 0, rows = 0;
  /// Side of a square, mm.
  double square = 0;
  /// Side of a ChArUco board's markers, mm. 0 for a chessboard.
  double marker = 0;
  /// OpenCV's name of the markers' dictionary, such as "DICT_4X4_50".
  std::string dictionary = {};

  /// Returns true for a ChArUco board. It has markers in its white squares, so any visible part
  /// shows which part it is.
  bool charuco() const { return marker > 0; }
  size_t count() const { return static_cast<size_t>(columns) * static_cast<size_t>(rows); }
  /// Returns the position of corner `index` on the board, mm, with z = 0. Corners are counted row
  /// by row.
  Eigen::Vector3d corner(size_t index) const;
  /// Returns the index of the same corner if the board is counted from its other end. A chessboard
  /// looks the same from both.
  size_t turned(size_t index) const { return count() - 1 - index; }
};

/// Half sizes of the windows in which corners are refined, px. The best one depends on blur and on
/// the size of squares, so all are tried.
constexpr std::array<int, 5> kCornerWindows{4, 5, 6, 7, 8};

/// The corners of the board in one image, refined with each window. Empty if no board is seen.
struct BoardView {
  /// Indices of the corners that were found, ascending. A chessboard is found whole or not at all.
  std::vector<size_t> which;
  /// For each window, the corners in the image, px: one for each entry of `which`.
  std::array<std::vector<Eigen::Vector2d>, kCornerWindows.size()> corners;
  /// Measured side of a ChArUco board's markers, mm, if its squares have the stated size. 0 if not
  /// known.
  double markerSide = 0;

  bool seen() const { return !which.empty(); }
};

/// The number of views of the board that a camera needs to be calibrated. Raising it refuses
/// cameras that saw the board rarely.
constexpr size_t kLeastBoardViews = 5;

/// The views of a board by all cameras, moment by moment.
struct BoardRecording {
  /// One size for each camera.
  std::vector<FrameExtent> sizes;
  struct Moment {
    double time = 0;  ///< s
    /// One view for each camera.
    std::vector<BoardView> views;
  };
  std::vector<Moment> moments;
  /// For each camera, a part of a sentence that says why it may not see the board, or an empty
  /// text. No entries if this was not examined.
  std::vector<std::string> doubts = {};
};

}  // namespace glint::motion
