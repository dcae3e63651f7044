// Cameras and the places of a board, adjusted together.
#pragma once

#include <optional>
#include <vector>

#include "app/motion/calibrate/board.h"
#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// One view of the board that counts.
struct BoardSight {
  size_t camera = 0, place = 0;
  std::vector<size_t> which;             ///< of the board's corners
  std::vector<Eigen::Vector2d> corners;  ///< px, one for each
};

struct BoardBundle {
  Board board;
  std::vector<BundleCamera> cameras;
  std::vector<Pose> places;     ///< from the board to the world
  std::vector<size_t> moments;  ///< of the recording, a place each
  std::vector<BoardSight> sights;
};

/// Residual of a sight's corner, px; empty behind the camera.
std::optional<Eigen::Vector2d> residualOf(const BoardBundle& bundle, const BoardSight& sight,
                                          size_t corner);

/// Ceres with Schur's complement; Huber's loss from `loss` px on. What is not free stays. False
/// where no solution is found.
bool adjust(BoardBundle& bundle, double loss);

/// Of the cameras' numbers, kBundleNumbers each, for corners of `sigma` px, with zeros where a
/// number is held; see covarianceOf() of a Bundle. Empty where it is singular.
std::optional<Eigen::MatrixXd> covarianceOf(const BoardBundle& bundle, double sigma);

}  // namespace glint::motion
