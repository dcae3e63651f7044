// A rigid body that carries markers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace glint::motion {

struct Body {
  struct Marker {
    std::string label;
    /// Position in the body's own axes, mm.
    Eigen::Vector3d at;
  };

  std::string name;
  /// Three or more markers that are not on one line.
  std::vector<Marker> markers;
  /// Standard deviation of each coordinate of a marker, mm.
  double sigma = kHandSigma;

  /// Standard deviation of coordinates that were measured with a ruler, mm. Raising it lets the
  /// measured shape count less.
  static constexpr double kHandSigma = 0.5;

  /// Returns the mean of the markers, in the body's own axes.
  Eigen::Vector3d centre() const;
  /// Returns the distance between the two markers that are farthest apart, mm.
  double extent() const;
};

/// Returns true if there are fewer than three points, or if they are so near to one line that they
/// do not determine an attitude.
bool onOneLine(std::span<const Eigen::Vector3d> points);

/// Bodies are mistaken for one another if their markers fit onto each other with an error of at
/// most this, mm. Raising it takes more bodies to be alike.
inline constexpr double kAlike = 2.5;

}  // namespace glint::motion
