// Ceres without a word on the terminal.
#pragma once

#include <ceres/ceres.h>
#include <glog/logging.h>

namespace glint::motion {

/// A step that fails is part of the search; what it means is told in a sentence by whoever asked.
inline ceres::Solver::Summary solveQuietly(ceres::Solver::Options options,
                                           ceres::Problem& problem) {
  options.logging_type = ceres::SILENT;
  FLAGS_minloglevel = google::GLOG_FATAL;  // the linear solvers' warnings
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  return summary;
}

}  // namespace glint::motion
