// Finds dots of two cameras that may be one marker: those near to each other's epipolar lines.
#pragma once

#include <vector>

#include "app/motion/space/dot_index.h"

namespace glint::motion {

struct RayPair {
  size_t cameraA, cameraB;  ///< A < B
  size_t a, b;              ///< places in the DotIndex
};

/// Finds pairs of rays of a set, two cameras at a time.
class RayPairs {
 public:
  /// `rig` and `dots` must outlive it. `gate`: see CorrespondOptions::gate.
  RayPairs(const SpaceRig& rig, const DotIndex& dots, double gate);

  /// Adds the pairs of dots of two cameras, a < b, that are not used now, whose Sampson distance
  /// (Hartley and Zisserman, Multiple View Geometry, 11.4.3) is at most `gate` standard deviations,
  /// and which meet before both cameras.
  void find(size_t a, size_t b, std::vector<RayPair>& pairs);

  /// Returns the number of pairs that meet among the dots that were not used at first. It is exact
  /// once find() has tested all of them, and before that extrapolated from those it has tested.
  double expected() const;
  /// The number of pairs of dots that find() has tested, whether they meet or not.
  size_t tested() const { return tested_; }

 private:
  /// The dots of the camera that the lines go through, a column for each number.
  struct Lines {
    void fill(const DotIndex& dots, size_t camera, const Eigen::Matrix3d& matrix);
    void add(const Eigen::Vector3d& plane, double scale, double variance);
    void near(const Eigen::Vector3d& line, const DotIndex::Place& own, double gate,
              const auto& take) const;

    std::vector<size_t> dot;
    std::vector<double> a, b;  // of the dot in its plane
    std::vector<double> scale, variance;
  };

  const SpaceRig& rig_;
  const DotIndex& dots_;
  double gate_;
  std::vector<std::vector<Eigen::Vector3d>> directions_;  // of each camera's dots, in the world
  Lines lines_;
  size_t all_ = 0, tested_ = 0, found_ = 0;
};

/// Returns the place midway between the two rays, or nothing if they are parallel or meet behind a
/// camera.
std::optional<Eigen::Vector3d> meeting(const SpaceRig& rig, const DotIndex& dots,
                                       const RayPair& pair);

}  // namespace glint::motion
