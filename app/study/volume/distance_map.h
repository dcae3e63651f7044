// Which voxels of a volume are features, and distances to them as users see them: outside or
// inside, with or without sign, in their unit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/study/volume/voxels.h"
#include "gpu/volume/slabs.h"

namespace glint::study {

/// A voxel is a feature if its value is above `threshold`; or, with `label`, if it is that value.
struct FeatureRule {
  double threshold = 0;
  bool labels = false;          ///< values are labels, and no threshold applies
  std::optional<double> label;  ///< the label that counts; none: every one but 0
};

struct Features {
  std::vector<uint32_t> bits;  ///< as DistanceTransform takes them
  uint64_t count = 0;
  uint64_t nans = 0;  ///< voxels that are no number, and so no features
};

Features findFeatures(const VolumeData& volume, const FeatureRule& rule);

enum class DistanceSide {
  outside,  ///< of every voxel to the nearest feature; 0 at features
  inside,   ///< of every feature to the nearest voxel that is none; 0 at these
  both,     ///< outside positive, inside negative; nowhere 0
};

enum class DistanceForm {
  integers,  ///< squared euclidean distances in voxels, or steps
  floats,    ///< distances in the spacing's unit; steps in voxels
  scaled,    ///< 16 bits, the largest distance 65,535
};

/// A distance a voxel.
struct DistanceMap {
  gpu::VolumeShape shape;
  DistanceSide side = DistanceSide::outside;
  gpu::DistanceOptions options;
  gpu::VolumeDistances
      from;  ///< of `outside` and `both`, distances to features, else to the others
  gpu::VolumeDistances within;  ///< of `both`: distances to voxels that are no features

  /// In the spacing's unit, of steps in voxels (a third of chamfer 3-4-5); with its sign. Infinite
  /// where there is nothing to measure to.
  double at(size_t index) const;

  /// The voxel of the greatest finite distance, whatever its sign, of several the first; none if no
  /// distance is finite.
  std::optional<size_t> farthest() const;
};

DistanceMap mapDistances(const gpu::Device& device, const VolumeData& volume,
                         const Features& features, DistanceSide side,
                         const gpu::DistanceOptions& options, const gpu::VolumeProgress& progress);

/// The map as a volume to write, lying where `like` lies. Where no distance is finite, integers are
/// 4294967295 (with sign +-2147483647), floats infinite, scaled ones 65,535. Throws UsageError for
/// integers of anisotropic distances and for scaled distances with a sign.
VolumeData toVolume(const DistanceMap& map, DistanceForm form, const VolumeData& like);

/// The type of voxels that toVolume() gives; throws as it does.
VoxelType typeOfMap(DistanceForm form, DistanceSide side, const gpu::DistanceOptions& options);

/// The nearest features' raster indices as 32-bit integers, 4294967295 where there is none.
VolumeData nearestVolume(const DistanceMap& map, const VolumeData& like);

}  // namespace glint::study
