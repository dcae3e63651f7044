// Finds dots of two cameras that may show the same marker, because they are near each other's
// epipolar lines.
#pragma once

#include <vector>

#include "app/motion/space/dot_index.h"

namespace glint::motion {

/// Two dots of different cameras whose rays meet.
struct RayPair {
  /// The cameras, with A < B.
  size_t cameraA, cameraB;
  /// Indices of the dots in the DotIndex.
  size_t a, b;
};

/// Finds pairs of rays in a set that meet, for two cameras at a time.
class RayPairs {
 public:
  /// `rig` and `dots` must outlive this object. `gate` is CorrespondOptions::gate.
  RayPairs(const SpaceRig& rig, const DotIndex& dots, double gate);

  /// Adds the pairs of unused dots of two cameras, a < b, whose rays meet in front of both cameras.
  /// Their Sampson distance (Hartley and Zisserman, Multiple View Geometry, 11.4.3) is at most
  /// `gate` standard deviations.
  void find(size_t a, size_t b, std::vector<RayPair>& pairs);

  /// Returns the number of pairs that meet among the dots that were unused at the beginning. It is
  /// exact once find() has tested all of them. Before that, it is extrapolated from those tested so
  /// far.
  double expected() const;
  /// Returns the number of pairs of dots that find() has tested, whether they meet or not.
  size_t tested() const { return tested_; }

 private:
  /// The dots of the second camera, through which the epipolar lines go, with a column for each
  /// number.
  struct Lines {
    void fill(const DotIndex& dots, size_t camera, const Eigen::Matrix3d& matrix);
    void add(const Eigen::Vector3d& plane, double scale, double variance);
    void near(const Eigen::Vector3d& line, const DotIndex::Place& own, double gate,
              const auto& take) const;

    std::vector<size_t> dot;
    // Undistorted place of the dot.
    std::vector<double> a, b;
    std::vector<double> scale, variance;
  };

  const SpaceRig& rig_;
  const DotIndex& dots_;
  double gate_;
  // For each camera, the directions of its dots' rays in the world.
  std::vector<std::vector<Eigen::Vector3d>> directions_;
  Lines lines_;
  size_t all_ = 0, tested_ = 0, found_ = 0;
};

/// Returns the point midway between two rays where they are nearest to each other, or nothing if
/// they are parallel or meet behind a camera.
std::optional<Eigen::Vector3d> meeting(const SpaceRig& rig, const DotIndex& dots,
                                       const RayPair& pair);

}  // namespace glint::motion
