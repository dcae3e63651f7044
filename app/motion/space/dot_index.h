// The dots of a set, prepared for a quick search.
#pragma once

#include <vector>

#include "app/motion/space/estimate.h"
#include "app/motion/space/noise_floor.h"
#include "app/motion/space/space_rig.h"
#include "app/motion/space/space_set.h"

namespace glint::motion {

/// The dots of each camera, sorted by x, so that those near a pixel are found quickly.
class DotIndex {
 public:
  struct Place {
    /// Position (px) and variance in the image (px^2).
    Eigen::Vector2d pixel, variance;
    /// Variance including the noise floor and the rig's uncertainty, px^2.
    Eigen::Vector2d total;
    /// Undistorted place (a, b, 1): see Lens. a and b are NaN if the lens has no ray for the pixel.
    Eigen::Vector3d plane;
    /// Variance of a and of b.
    double planeVariance;
    /// True if the dot belongs to a point.
    bool used = false;
  };

  /// `rig` and `floor` are not used any more after the constructor.
  DotIndex(const SpaceRig& rig, const NoiseFloor& floor, const SpaceSet& set);

  size_t cameras() const { return places_.size(); }
  std::vector<Place>& of(size_t camera) { return places_[camera]; }
  const std::vector<Place>& of(size_t camera) const { return places_[camera]; }

  /// Calls take(index) for each dot of a camera that is at most `reach` px away from a pixel along
  /// x and along y.
  void near(size_t camera, const Eigen::Vector2d& pixel, double reach, const auto& take) const {
    const std::vector<Place>& all = places_[camera];
    const double last = pixel.x() + reach;
    for (size_t i = firstFrom(camera, pixel.x() - reach); i < all.size(); ++i) {
      if (all[i].pixel.x() > last) return;
      if (std::abs(all[i].pixel.y() - pixel.y()) <= reach) take(i);
    }
  }
  /// Returns true if there is such a dot, used or not.
  bool anyNear(size_t camera, const Eigen::Vector2d& pixel, double reach) const;

  Sight sight(size_t camera, size_t dot) const {
    const Place& place = places_[camera][dot];
    return {camera, dot, place.pixel, place.variance, place.total, Eigen::Vector3d::Zero()};
  }

 private:
  size_t firstFrom(size_t camera, double x) const;

  std::vector<std::vector<Place>> places_;
};

}  // namespace glint::motion
