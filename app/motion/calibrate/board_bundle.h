// Bundle adjustment of cameras and the poses of a board.
#pragma once

#include <optional>
#include <vector>

#include "app/motion/calibrate/board.h"
#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// One camera's view of the board in one place.
struct BoardSight {
  size_t camera = 0, place = 0;
  /// Indices of the board's corners.
  std::vector<size_t> which;
  /// One pixel for each entry of `which`.
  std::vector<Eigen::Vector2d> corners;
};

/// Cameras, and the poses of the board in the moments in which it was seen.
struct BoardBundle {
  Board board;
  std::vector<BundleCamera> cameras;
  /// Poses from the board to the world.
  std::vector<Pose> places;
  /// For each place, the index of its moment in the recording.
  std::vector<size_t> moments;
  std::vector<BoardSight> sights;
};

/// Returns the residual of one corner of a sight, px, or nothing if the corner lies behind the
/// camera.
std::optional<Eigen::Vector2d> residualOf(const BoardBundle& bundle, const BoardSight& sight,
                                          size_t corner);

/// Adjusts lenses, poses and places with Ceres and the Schur complement. Huber's loss begins at
/// `loss` px. `sigma` is the standard deviation of a corner, px, and decides how much the priors of
/// the lenses count. Numbers that are not free stay. Returns false and changes nothing if no
/// solution is found.
bool adjust(BoardBundle& bundle, double loss, double sigma);

/// Returns the covariance of the cameras' numbers, kBundleNumbers each, if a corner's standard
/// deviation is `sigma` px. Numbers that are held get zeros. Returns nothing if the views do not
/// determine the numbers. See also covarianceOf() of a Bundle.
std::optional<Eigen::MatrixXd> covarianceOf(const BoardBundle& bundle, double sigma);

}  // namespace glint::motion
