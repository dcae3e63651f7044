// Which dots of two cameras may be one marker: those near to each other's epipolar lines.
#pragma once

#include <vector>

#include "app/motion/space/dot_index.h"

namespace glint::motion {

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

/// Pairs of rays of a set, camera by camera.
class RayPairs {
 public:
  /// All three must outlive it.
  RayPairs(const SpaceRig& rig, const PairGeometry& geometry, const DotIndex& dots);

  /// Adds the pairs of dots of two cameras, a < b, that are not used now, whose Sampson distance
  /// (the same, 11.4.3) is at most four standard deviations, and which meet before both cameras.
  void find(size_t a, size_t b, std::vector<RayPair>& pairs);

  /// How many all cameras' dots that were not used at first have: exact once find() has looked at
  /// all of these, else as the share that it has looked at tells.
  double expected() const;
  /// Pairs of dots that it has looked at, whether they meet or not.
  size_t tested() const { return tested_; }

 private:
  /// Dots of the camera that the lines go through, a column for each number.
  struct Lines {
    void fill(const DotIndex& dots, size_t camera, const Eigen::Matrix3d& matrix);
    void add(const Eigen::Vector3d& plane, double scale, double variance);
    void near(const Eigen::Vector3d& line, const DotIndex::Place& own, const auto& take) const;

    std::vector<size_t> dot;
    std::vector<double> a, b;  // of the dot in its plane
    std::vector<double> scale, variance;
  };

  const SpaceRig& rig_;
  const PairGeometry& geometry_;
  const DotIndex& dots_;
  std::vector<std::vector<Eigen::Vector3d>> directions_;  // of each camera's dots, in the world
  Lines lines_;
  size_t all_ = 0, tested_ = 0, found_ = 0;
};

/// Midway between the two rays; empty where they are parallel or meet behind a camera.
std::optional<Eigen::Vector3d> meeting(const SpaceRig& rig, const DotIndex& dots,
                                       const RayPair& pair);

}  // namespace glint::motion
