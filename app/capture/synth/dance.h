// Moves the dancing figure: it walks a figure of eight, swings its arms and dances with its upper
// body.
#pragma once

#include <vector>

#include "app/capture/synth/body.h"

namespace glint::capture {

/// A closed path on the floor, walked at constant speed. Lengths are in metres, angles in radians.
class WalkPath {
 public:
  WalkPath();
  double length() const { return lengths_.back(); }
  Eigen::Vector2d position(double travelled) const;
  double heading(double travelled) const;  ///< returns the direction, from x towards y

 private:
  double parameter(double travelled) const;
  std::vector<double> lengths_;  // lengths from the start to evenly spaced parameters
};

/// The figure's pose at any time, the same for the same seed. It never changes, so any thread may
/// use it.
class Dance {
 public:
  explicit Dance(uint64_t seed);

  /// Returns the pose at `time`, s. Bones keep their lengths; a foot on the floor does not slide.
  Skeleton pose(double time) const;

 private:
  // How far the trunk and the arms are moved away from a plain walk, radians.
  struct Gesture {
    double sway, twist, nod, leftRaise, rightRaise;
  };
  Gesture gesture(double time) const;
  void poseTrunk(Skeleton& body, double travelled, const Gesture& dance) const;
  void poseArm(Skeleton& body, bool left, double swing, double raise) const;
  void poseLeg(Skeleton& body, bool left, double travelled) const;

  WalkPath path_;
  double stride_;  // m: length of two steps; the path is a whole number of strides
  double start_;   // m: place on the path at time 0
  std::array<double, 5> phases_{}, rates_{};
};

}  // namespace glint::capture
