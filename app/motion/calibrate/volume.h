// How well a light is placed, over the volume in which lights were.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Three level slices through the box of the lights (of each axis the middle 98 %), at 1/6, 1/2 and
/// 5/6 of its height, along z. A cell has the largest standard deviation of a light at its middle,
/// mm, whose dots have the calibration's sigma, seen by every camera that has it in its image. The
/// rig's covariance is in it but for what shifts and turns all cells alike, which changes no
/// distance (inner constraints: Triggs et al., Bundle adjustment, 2000, 9.3).
struct VolumeMap {
  static constexpr size_t kCells = 16;  ///< along x and along y
  Eigen::Vector3d low, high;            ///< mm
  std::array<double, 3> heights{};      ///< z of the slices, mm
  /// mm, x fastest, then y; empty where fewer than two cameras see.
  std::array<std::vector<std::optional<double>>, 3> sigmas;
  double best = 0, middle = 0, worst = 0;  ///< mm: 5, 50 and 95 % of the cells are better
};

/// Empty where hardly any cell is seen.
std::optional<VolumeMap> mapVolume(const Calibration& calibration);

}  // namespace glint::motion
