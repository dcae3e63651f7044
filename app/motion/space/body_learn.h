// Rigid bodies from points that keep their distances.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/motion/space/body.h"
#include "app/motion/space/body_options.h"

namespace glint::motion {

/// A measured point in a set.
struct LearnPoint {
  uint64_t frame = 0, id = 0;
  Eigen::Vector3d at{0, 0, 0};                           ///< mm
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();  ///< mm^2
};

struct LearnedBody {
  struct Distance {
    size_t a, b;      ///< markers
    double mean, sd;  ///< mm
    double stated;    ///< mm, the sd by the covariances
    size_t frames;
  };
  Body body;  ///< about the mean of its markers; axes as the world's in its first set
  std::vector<uint64_t> points;  ///< of each marker
  std::vector<Distance> distances;
  size_t frames = 0;    ///< with three markers or more
  double residual = 0;  ///< mm, rms of each coordinate
  double stated = 0;    ///< mm, the same by the covariances
  double moved = 0;     ///< mm, how far its markers moved at most
};

/// Returns lines for a file: where the body was learned, and the distances of its markers.
std::vector<std::string> linesOf(const LearnedBody& learned, const std::string& from);

struct LearnedBodies {
  std::vector<LearnedBody> bodies;
  std::vector<std::string> leftOut;  ///< groups that are no body, and why: a sentence each
};

/// Returns the groups of three points or more that keep all their distances, the largest first. Two
/// points keep their distance if it varies no more than their covariances explain, with room for a
/// rig that is a little off. `points` are sorted by frame.
LearnedBodies learnBodies(std::span<const LearnPoint> points, const BodyLearnOptions& options = {});

/// Returns the body of these points. Throws Error naming points that are not measured together
/// often enough, or do not keep their distance.
LearnedBody learnBody(std::span<const LearnPoint> points, std::span<const uint64_t> ids,
                      const BodyLearnOptions& options = {});

}  // namespace glint::motion
