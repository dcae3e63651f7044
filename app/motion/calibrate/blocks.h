// Converts a camera's numbers to arrays for Ceres and back. Internal to calibrate/.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include <ceres/ceres.h>
#include <glog/logging.h>

#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

using LensBlock = std::array<double, lensNumbers>;
using PoseBlock = std::array<double, 6>;

inline LensBlock lensBlock(const Lens& l) {
  return {l.fx, l.cx, l.cy, l.k1, l.k2, l.p1, l.p2, l.k3, l.fy / l.fx};
}

/// Returns the lens for the numbers of a LensBlock.
inline Lens lensOf(const double* b, bool fisheye) {
  return {b[focal],   b[focal] * b[aspect], b[centreX],     b[centreY], b[radial1],
          b[radial2], b[tangential1],       b[tangential2], b[radial3], fisheye};
}

/// Derivatives of a residual by the numbers of a LensBlock.
using LensSlopes = Eigen::Matrix<double, 2, lensNumbers>;

/// Returns the derivatives of a pixel by the numbers of a LensBlock.
inline LensSlopes lensSlopes(const Lens& lens, const ProjectionDerivatives& d) {
  LensSlopes slopes;
  slopes.col(focal) = d.lens.col(0) + lens.fy / lens.fx * d.lens.col(1);
  slopes.middleCols<Lens::kNumbers - 2>(centreX) = d.lens.rightCols<Lens::kNumbers - 2>();
  slopes.col(aspect) = lens.fx * d.lens.col(1);
  return slopes;
}

inline PoseBlock poseBlock(const Pose& pose) {
  return {pose.rotation.x(),    pose.rotation.y(),    pose.rotation.z(),
          pose.translation.x(), pose.translation.y(), pose.translation.z()};
}

inline Pose poseOf(const double* b) {
  return {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}};
}

/// Copies derivatives to `to`, which is null if Ceres does not ask for them.
template <int kWidth>
void putBlock(double* to, const Eigen::Matrix<double, 2, kWidth>& from) {
  if (to != nullptr) Eigen::Map<Eigen::Matrix<double, 2, kWidth, Eigen::RowMajor>>{to} = from;
}

/// Keeps Ceres from changing the numbers of a lens that are not free.
inline void holdLens(ceres::Problem& problem, double* lens, const LensFree& free) {
  std::vector<int> held;
  for (size_t i = 0; i < lensNumbers; ++i)
    if (!free[i]) held.push_back(static_cast<int>(i));
  if (held.size() == lensNumbers)
    problem.SetParameterBlockConstant(lens);
  else if (!held.empty())
    problem.SetManifold(lens, new ceres::SubsetManifold(lensNumbers, held));
}

/// Solves a bundle by the method of Levenberg and Marquardt with the Schur complement. Parameters
/// are eliminated in the order `order`, which it takes ownership of. Nothing is printed, because a
/// step that fails is a normal part of the search. Returns the cost, or infinity if there is no
/// solution.
inline double solveBundle(ceres::Problem& problem, ceres::ParameterBlockOrdering* order,
                          int mostSteps) {
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_SCHUR;
  options.linear_solver_ordering.reset(order);
  // With more threads, the order of summation and with it the last digits would differ from run to
  // run.
  options.num_threads = 1;
  options.max_num_iterations = mostSteps;
  // The step is the last one if it lowers the cost by less than this share.
  options.function_tolerance = 1e-8;
  options.logging_type = ceres::SILENT;
  // Silences the warnings of the linear solvers.
  FLAGS_minloglevel = google::GLOG_FATAL;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  return summary.IsSolutionUsable() ? summary.final_cost : std::numeric_limits<double>::infinity();
}

}  // namespace glint::motion
