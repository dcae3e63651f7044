// What the cameras of a rig see at one moment.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace glint::motion {

/// A marker in an image, whichever it is.
struct SpaceDot {
  Eigen::Vector2d at;     ///< px, (0, 0) at the centre of the top-left pixel
  Eigen::Vector2d sigma;  ///< px, above 0
};

/// One camera's dots. A camera that sees nothing counts like one that has no frame.
struct SpaceView {
  double time = 0;  ///< s, on the clock of all cameras
  std::vector<SpaceDot> dots = {};
};

struct SpaceSet {
  uint64_t frame = 0;            ///< rises from set to set
  std::vector<SpaceView> views;  ///< a camera of the rig each

  bool empty() const;
  /// The middle one of the times of the cameras that see something; needs one.
  double time() const;
  /// s, between the first and the last of them.
  double spread() const;
};

/// px. A dot's sigma counts as at least this, because lens models, not images, set the limit below
/// it.
inline constexpr double kLeastDotSigma = 0.02;

/// px, in addition to a dot's own noise. What is behind a marker, and how it is lit, pull its dots
/// aside in all cameras towards the same place in space, so residuals do not show it.
inline constexpr double kSharedNoise = 0.03;

}  // namespace glint::motion
