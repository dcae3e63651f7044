// Searches for a rigid body among points by the distances of its markers alone.
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

/// A possible pose of a body.
struct BodyGuess {
  /// For each marker the index of its point, or -1.
  std::vector<int> points;
  /// Number of markers that have a point.
  size_t found = 0;
  /// The transform from the body's axes to the world.
  Pose motion;
  /// Rms error, mm.
  double misfit = 0;
  /// Expected number of equally good guesses by coincidence, among points that are as dense as
  /// here.
  double chance = 0;
};

/// A set of points, with the neighbours of each.
class SearchCloud {
 public:
  /// `reach` (mm) is the extent of the largest body that will be searched for.
  SearchCloud(std::vector<SearchPoint> points, double reach, const BodySearchOptions& options = {});

  struct Neighbour {
    int point;
    /// Distance between the two points, mm.
    double distance;
    /// Standard deviation of the distance, mm.
    double sigma;
  };
  size_t size() const { return points_.size(); }
  const SearchPoint& operator[](size_t i) const { return points_[i]; }
  const std::vector<Neighbour>& near(size_t i) const { return near_[i]; }
  /// Returns the number of points per mm^3 within `radius` (mm) around `at`, not counting `without`
  /// of them. Returns the overall density if it is higher.
  double density(const Eigen::Vector3d& at, double radius, size_t without) const;

 private:
  std::vector<SearchPoint> points_;
  std::vector<std::vector<Neighbour>> near_;
  // Overall density, points per mm^3.
  double overall_ = 0;
};

/// Returns every way to lay at least three markers of `body` onto points, in any pose, each once.
/// Those with the most markers come first, and among them those with the smallest error. Triangles
/// of markers are found by their three distances and aligned by Horn's method. Each other marker is
/// then searched for at its expected place. `slack` (mm) is the amount by which distances may be
/// off in addition to their uncertainty.
std::vector<BodyGuess> findBody(const Body& body, const SearchCloud& cloud, double slack,
                                const BodySearchOptions& options = {});

}  // namespace glint::motion
