// Learns rigid bodies from points that keep their distances.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/motion/space/body.h"
#include "app/motion/space/body_options.h"

namespace glint::motion {

/// A point that was measured in a set.
struct LearnPoint {
  uint64_t frame = 0, id = 0;
  Eigen::Vector3d at{0, 0, 0};                           ///< mm
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();  ///< mm^2
};

struct LearnedBody {
  struct Distance {
    /// Indices of two markers.
    size_t a, b;
    /// Mean and standard deviation of their distance, mm.
    double mean, sd;
    /// The standard deviation that the covariances of the points state, mm.
    double stated;
    size_t frames;
  };
  /// The origin is the mean of the markers. The axes are parallel to the world's axes as the body
  /// lay in its first set.
  Body body;
  /// The id of each marker's point.
  std::vector<uint64_t> points;
  std::vector<Distance> distances;
  /// Number of frames with at least three of the markers.
  size_t frames = 0;
  /// Rms error of each coordinate, mm.
  double residual = 0;
  /// Rms error of each coordinate that the covariances state, mm.
  double stated = 0;
  /// The largest distance that a marker has moved, mm.
  double moved = 0;
};

/// Returns comment lines for a file: where the body was learned, and the distances of its markers.
/// `from` names the source.
std::vector<std::string> linesOf(const LearnedBody& learned, const std::string& from);

struct LearnedBodies {
  std::vector<LearnedBody> bodies;
  /// A sentence for each group that is no body, which says why.
  std::vector<std::string> leftOut;
};

/// Returns the groups of three or more points that keep all their distances, the largest first. Two
/// points keep their distance if it varies no more than their covariances explain, with some
/// allowance for a slightly wrong rig. `points` must be sorted by frame.
LearnedBodies learnBodies(std::span<const LearnPoint> points, const BodyLearnOptions& options = {});

/// Returns the body that consists of the points `ids`. Throws Error if some of them are not
/// measured together often enough or do not keep their distance, naming them.
LearnedBody learnBody(std::span<const LearnPoint> points, std::span<const uint64_t> ids,
                      const BodyLearnOptions& options = {});

}  // namespace glint::motion
