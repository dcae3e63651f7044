// Finds a rigid body among points by nothing but the distances of its markers.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "app/motion/geometry/camera.h"
#include "app/motion/space/body.h"
#include "app/motion/space/body_options.h"

namespace glint::motion {

/// A point that may be a marker.
struct SearchPoint {
  Eigen::Vector3d at;          ///< mm
  Eigen::Matrix3d covariance;  ///< mm^2
};

/// A possible place of a body.
struct BodyGuess {
  std::vector<int> points;  ///< the point of each marker, or -1
  size_t found = 0;         ///< markers that have a point
  Pose motion;              ///< from the body's axes to the world
  double misfit = 0;        ///< mm, rms
  /// Expected number of equally good guesses among points that are as dense as here, by chance.
  double chance = 0;
};

/// Points, and the neighbours of each.
class SearchCloud {
 public:
  /// `reach` (mm) is the extent of the largest body that will be sought.
  SearchCloud(std::vector<SearchPoint> points, double reach, const BodySearchOptions& options = {});

  struct Neighbour {
    int point;
    double distance;  ///< mm
    double sigma;     ///< mm, of the distance
  };
  size_t size() const { return points_.size(); }
  const SearchPoint& operator[](size_t i) const { return points_[i]; }
  const std::vector<Neighbour>& near(size_t i) const { return near_[i]; }
  /// Returns the number of points per mm^3 within `radius` (mm) around a place, not counting
  /// `without` of them, or the overall number if that is more.
  double density(const Eigen::Vector3d& at, double radius, size_t without) const;

 private:
  std::vector<SearchPoint> points_;
  std::vector<std::vector<Neighbour>> near_;
  double overall_ = 0;  // points per mm^3
};

/// Returns every way in which three markers or more of `body` lie on points, in any pose, each
/// once: those with the most markers first, then those with the least misfit. Triples of markers
/// are sought by their three distances and laid on by Horn's method. The other markers are then
/// sought where they should be. `slack` (mm): each distance may be off by this much beyond its
/// covariance.
std::vector<BodyGuess> findBody(const Body& body, const SearchCloud& cloud, double slack,
                                const BodySearchOptions& options = {});

}  // namespace glint::motion
