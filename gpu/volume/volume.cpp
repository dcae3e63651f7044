#include "gpu/volume/volume.h"

#include <algorithm>

#include "config/error.h"

namespace glint::gpu {
namespace {

constexpr double kMaxSpacingRatio = 1e6;
// Within these bounds a float holds any distance.
constexpr double kLeastSpacing = 1e-30, kMostSpacing = 1e30;

}  // namespace

std::string describe(const VolumeShape& shape) {
  return std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " +
         std::to_string(shape.depth);
}

double DistanceOptions::unit() const {
  return *std::max_element(spacing.begin(), spacing.end());
}

void checkDistance(const VolumeShape& shape, const DistanceOptions& options) {
  const auto sides = {shape.width, shape.height, shape.depth};
  if (std::min(sides) == 0)
    throw UsageError("a volume of " + describe(shape) + " voxels has no voxel to measure");
  if (std::max(sides) > kMaxVolumeSide || shape.voxels() >= UINT32_MAX)
    throw UsageError("a volume of " + describe(shape) + " voxels is too large: at most " +
                     std::to_string(kMaxVolumeSide) + " a side and fewer than 2^32 - 1 in all");
  for (const double s : options.spacing) {
    if (!(s >= kLeastSpacing && s <= kMostSpacing))
      throw UsageError("spacings must be positive numbers, from 1e-30 to 1e30");
  }
  const auto [least, most] = std::minmax_element(options.spacing.begin(), options.spacing.end());
  if (*most / *least > kMaxSpacingRatio)
    throw UsageError("spacings must not differ by more than a factor of 1,000,000");
  if (options.metric == Metric::euclidean) return;
  if (options.nearest) throw UsageError("nearest features need euclidean distances");
}

}  // namespace glint::gpu
