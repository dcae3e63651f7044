// A set: everything that the cameras of a rig see at one moment.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace glint::motion {

/// A marker in an image. It is not known which one it is, unless the program that found it labels
/// it.
struct SpaceDot {
  /// Position, px. (0, 0) is the centre of the top-left pixel.
  Eigen::Vector2d at;
  /// Standard deviation along x and y, px, above 0.
  Eigen::Vector2d sigma;
  /// Index of the label in the list of all labels; -1: none.
  int label = -1;
};

/// The dots of one camera. A camera that sees nothing counts like one without a frame.
struct SpaceView {
  /// Time of the frame, s, on the common clock of all cameras.
  double time = 0;
  std::vector<SpaceDot> dots = {};
};

struct SpaceSet {
  /// Frame number, which increases from set to set.
  uint64_t frame = 0;
  /// One view for each camera of the rig.
  std::vector<SpaceView> views;

  bool empty() const;
  /// Returns the median time of the cameras that see anything, s. There must be one.
  double time() const;
  /// Returns the time between the first and the last of these cameras, s.
  double spread() const;
};

/// Lower limit for the sigma of a dot, px. Below it, errors of the lens model dominate, not noise
/// in images.
inline constexpr double kLeastDotSigma = 0.02;

/// Standard deviation that is added to a dot's own noise, px. The background and the lighting of a
/// marker shift its dots in all cameras towards the same place in space, so residuals do not show
/// it.
inline constexpr double kSharedNoise = 0.03;

}  // namespace glint::motion
