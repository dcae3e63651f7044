// The dots of a set, prepared for a quick search.
#pragma once

#include <algorithm>
#include <cmath>
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

  /// The greatest variance of a dot of a camera, px^2; 0 if there is none.
  double greatestVariance(size_t camera) const { return grids_[camera].greatestVariance; }

  /// Calls take(dot) for those at most `reach` px beside a pixel along x and y.
  void near(size_t camera, const Eigen::Vector2d& pixel, double reach, const auto& take) const {
    const Grid& grid = grids_[camera];
    const int left = grid.column(pixel.x() - reach), right = grid.column(pixel.x() + reach);
    const int bottom = grid.row(pixel.y() + reach);
    for (int row = grid.row(pixel.y() - reach); row <= bottom; ++row) {
      const size_t first = grid.starts[grid.cell(left, row)];
      const size_t last = grid.starts[grid.cell(right, row) + 1];
      for (size_t k = first; k < last; ++k) {
        const GridDot& dot = grid.dots[k];
        if (std::abs(dot.x - pixel.x()) <= reach && std::abs(dot.y - pixel.y()) <= reach)
          take(dot.dot);
      }
    }
  }
  /// Returns true if there is such a dot, used or not.
  bool anyNear(size_t camera, const Eigen::Vector2d& pixel, double reach) const;

  Sight sight(size_t camera, size_t dot) const {
    const Place& place = places_[camera][dot];
    return {camera, dot, place.pixel, place.variance, place.total, Eigen::Vector3d::Zero()};
  }

 private:
  struct GridDot {
    double x, y;  // px
    size_t dot;
  };
  // The dots of a camera by cells, row by row. Those outside the image are in the cells at its
  // border.
  struct Grid {
    int columns = 1, rows = 1;
    double side = 1;                   // px
    std::vector<size_t> starts{0, 0};  // where the dots of each cell begin; the last is their end
    std::vector<GridDot> dots;
    double greatestVariance = 0;

    int column(double x) const { return place(x, columns); }
    int row(double y) const { return place(y, rows); }
    int place(double at, int count) const {
      return static_cast<int>(std::clamp(at / side, 0.0, count - 1.0));
    }
    size_t cell(int column, int row) const { return static_cast<size_t>(row * columns + column); }
  };
  static Grid gridOf(const RigCamera& camera, const std::vector<Place>& places);

  std::vector<std::vector<Place>> places_;
  std::vector<Grid> grids_;  // by camera
};

}  // namespace glint::motion
