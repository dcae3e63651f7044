// A rigid body of markers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace glint::motion {

struct Body {
  struct Marker {
    std::string label;
    Eigen::Vector3d at;  ///< mm, in the body's own axes
  };

  std::string name;
  std::vector<Marker> markers;  ///< three or more, not on one line
  double sigma = kHandSigma;    ///< mm, how well each coordinate is known

  static constexpr double kHandSigma = 0.5;  ///< with a ruler

  /// The mean of its markers, in its own axes.
  Eigen::Vector3d centre() const;
  /// mm, of the two markers that are farthest apart.
  double extent() const;
};

/// Whether points are so near to one line, or so few, that they do not say how they are turned.
bool onOneLine(std::span<const Eigen::Vector3d> points);

/// mm: bodies whose markers fit onto each other so well are taken for one another.
inline constexpr double kAlike = 2.5;

}  // namespace glint::motion
