// Which dots of two cameras may be one marker: those near to each other's epipolar lines.
#pragma once

#include <vector>

#include "app/space/dot_index.h"

namespace glint {

struct RayPair {
  size_t cameraA, cameraB;  ///< A < B
  size_t a, b;              ///< places in the DotIndex
};

/// How the images of two cameras lie to each other: x_b^T matrix x_a is 0 for the (a, b, 1) of one
/// point (Hartley and Zisserman, Multiple View Geometry, 9.6).
class PairGeometry {
 public:
  explicit PairGeometry(const SpaceRig& rig);
  const Eigen::Matrix3d& between(size_t a, size_t b) const { return matrices_[a * cameras_ + b]; }

 private:
  size_t cameras_;
  std::vector<Eigen::Matrix3d> matrices_;
};

/// All pairs of dots that are not used, whose Sampson distance (the same, 11.4.3) is at most four
/// standard deviations, and which meet before both cameras.
std::vector<RayPair> rayPairs(const SpaceRig& rig, const PairGeometry& geometry,
                              const DotIndex& dots);

/// Midway between the two rays; empty where they are parallel or meet behind a camera.
std::optional<Eigen::Vector3d> meeting(const SpaceRig& rig, const DotIndex& dots,
                                       const RayPair& pair);

}  // namespace glint
