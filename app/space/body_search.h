// Finds a rigid body among points by nothing but distances.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "app/geometry/camera.h"
#include "app/space/body.h"

namespace glint {

struct SearchPoint {
  Eigen::Vector3d at;          ///< mm
  Eigen::Matrix3d covariance;  ///< mm^2
};

/// Where a body may be.
struct BodyGuess {
  std::vector<int> points;  ///< of each marker, or -1
  size_t found = 0;         ///< markers that have one
  Pose motion;              ///< from the body's axes to the world
  double misfit = 0;        ///< mm, rms
  /// How many guesses so good chance makes: expected of points as dense as around this one.
  double chance = 0;
};

/// The points, and which are near to each other.
class SearchCloud {
 public:
  /// `reach`: mm, the extent of the largest body that will be sought.
  SearchCloud(std::vector<SearchPoint> points, double reach);

  struct Neighbour {
    int point;
    double distance;  ///< mm
    double sigma;     ///< mm, of the distance
  };
  size_t size() const { return points_.size(); }
  const SearchPoint& operator[](size_t i) const { return points_[i]; }
  const std::vector<Neighbour>& near(size_t i) const { return near_[i]; }
  /// Points for a mm^3, around a place or all over, whichever is more.
  double density(const Eigen::Vector3d& at, double radius, size_t without) const;

 private:
  std::vector<SearchPoint> points_;
  std::vector<std::vector<Neighbour>> near_;
  double overall_ = 0;
};

/// Every way in which three markers or more of `body` lie on points, in any pose, each once; the
/// most markers first, then the least misfit. Triples of markers are sought by their three
/// distances, laid on by Horn's method, and the others looked for where they should then be.
/// `slack`: mm, that each distance may be off beyond what the covariances say.
std::vector<BodyGuess> findBody(const Body& body, const SearchCloud& cloud, double slack);

}  // namespace glint
