// Maps how accurately a light is located within the volume in which lights were.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Accuracy in three horizontal slices through the box of the lights (the middle 98 % along each
/// axis), at 1/6, 1/2 and 5/6 of its height along z. For a light in the middle of each cell, the
/// map has the largest standard deviation over all directions. The light is assumed to be seen,
/// with the calibration's sigma, by each camera that has the place in its image. The rig's
/// covariance is included, except for the part that moves and turns all cells together, which
/// changes no distance (inner constraints: Triggs et al., Bundle adjustment, 2000, 9.3).
struct VolumeMap {
  /// Number of cells along x and along y.
  static constexpr size_t kCells = 16;
  /// Corners of the box, mm.
  Eigen::Vector3d low, high;
  /// Heights (z) of the slices, mm.
  std::array<double, 3> heights{};
  /// For each slice, standard deviations in mm, with x fastest, then y. A cell is empty if fewer
  /// than two cameras see it.
  std::array<std::vector<std::optional<double>>, 3> sigmas;
  /// The 5, 50 and 95 % quantiles of the cells' standard deviations, mm.
  double best = 0, middle = 0, worst = 0;
};

/// Returns the map, or nothing if hardly any cell is seen by two cameras.
std::optional<VolumeMap> mapVolume(const Calibration& calibration);

}  // namespace glint::motion
