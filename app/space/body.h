// A rigid body of markers.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace glint {

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

/// mm: bodies whose markers fit onto each other so well are taken for one another.
inline constexpr double kAlike = 2.5;

/// Whether `part` fits into the markers of `whole`, for a body itself in another way than by
/// marker N on marker N.
bool fitsInto(const Body& part, const Body& whole);

/// A sentence for each body that fits onto itself in several ways, or into another one.
std::vector<std::string> doubtsOf(const std::vector<Body>& bodies);

}  // namespace glint
