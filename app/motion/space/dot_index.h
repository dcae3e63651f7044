// The dots of a set, prepared for finding which of them are one marker's.
#pragma once

#include <vector>

#include "app/motion/space/estimate.h"
#include "app/motion/space/noise_floor.h"
#include "app/motion/space/space_rig.h"
#include "app/motion/space/space_set.h"

namespace glint::motion {

/// Of each camera by x, so that what is near to a pixel is found quickly.
class DotIndex {
 public:
  struct Place {
    Eigen::Vector2d pixel, variance;  ///< px, px^2: of the image
    Eigen::Vector2d total;            ///< px^2, with floor and rig
    Eigen::Vector3d plane;            ///< (a, b, 1): see Lens; without a ray a is NaN
    double planeVariance;             ///< of a and b
    bool used = false;                ///< a point has it
  };

  /// `rig` and `floor` are used up to the end of the constructor.
  DotIndex(const SpaceRig& rig, const NoiseFloor& floor, const SpaceSet& set);

  size_t cameras() const { return places_.size(); }
  std::vector<Place>& of(size_t camera) { return places_[camera]; }
  const std::vector<Place>& of(size_t camera) const { return places_[camera]; }

  /// Calls take(dot) for those at most `reach` px beside a pixel along x and y.
  void near(size_t camera, const Eigen::Vector2d& pixel, double reach, const auto& take) const {
    const std::vector<Place>& all = places_[camera];
    const double last = pixel.x() + reach;
    for (size_t i = firstFrom(camera, pixel.x() - reach); i < all.size(); ++i) {
      if (all[i].pixel.x() > last) return;
      if (std::abs(all[i].pixel.y() - pixel.y()) <= reach) take(i);
    }
  }
  /// Whether there is one, used or not.
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
