// Finds the features of a volume, and computes the distances to them in the forms that users ask
// for: outside or inside, with or without sign, in the unit of the spacing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/study/volume/voxels.h"
#include "gpu/volume/slabs.h"

namespace glint::study {

/// The rule for features. A voxel is a feature if its value is above `threshold`. With `labels`, it
/// is a feature if its value is `label`.
struct FeatureRule {
  double threshold = 0;
  bool labels = false;  ///< True if the values are labels, so that no threshold applies.
  /// The label of features; if empty, all labels except 0 are features.
  std::optional<double> label;
};

/// The features of a volume.
struct Features {
  std::vector<uint32_t> bits;  ///< One bit per voxel, in the form that DistanceTransform takes.
  /// The number of features.
  uint64_t count = 0;
  uint64_t nans = 0;  ///< The number of voxels that are NaN, and so no features.
};

Features findFeatures(const VolumeData& volume, const FeatureRule& rule);

/// The voxels whose distances are computed.
enum class DistanceSide {
  outside,  ///< The distance of every voxel to the nearest feature; 0 at features.
  /// The distance of every feature to the nearest voxel that is not a feature; 0 at such voxels.
  inside,
  both,  ///< Outside positive distances, inside negative ones; nowhere 0.
};

/// The form in which distances are written.
enum class DistanceForm {
  integers,  ///< Squared euclidean distances in voxels, or numbers of steps.
  floats,    ///< Distances in the unit of the spacing; steps in voxels.
  scaled,    ///< Numbers of 16 bits; the largest distance is 65,535.
};

/// Distances of all voxels of a volume.
struct DistanceMap {
  gpu::VolumeShape shape;
  DistanceSide side = DistanceSide::outside;
  gpu::DistanceOptions options;
  /// For the sides `outside` and `both`, distances to features; for `inside`, distances to voxels
  /// that are not features.
  gpu::VolumeDistances from;
  /// For the side `both`, distances to voxels that are not features; else empty.
  gpu::VolumeDistances within;

  /// Returns the distance of a voxel, negative inside if the side is `both`. It is in the unit of
  /// the spacing; steps are in voxels (a third of the value of chamfer 3-4-5). Infinite if there is
  /// nothing to which a distance could be measured.
  double at(size_t index) const;

  /// Returns the index of the voxel with the largest finite distance, regardless of the sign; if
  /// there are several, the first of them. Empty if no distance is finite.
  std::optional<size_t> farthest() const;
};

/// Computes distances on the device. `progress` may be empty. Throws as gpu::transformVolume().
DistanceMap mapDistances(const gpu::Device& device, const VolumeData& volume,
                         const Features& features, DistanceSide side,
                         const gpu::DistanceOptions& options, const gpu::VolumeProgress& progress);

/// Returns the map as a volume to write, with spacing, axes and placement of `like`. If no distance
/// is finite, integers are 4294967295 (with a sign, +-2147483647), floats are infinite, and scaled
/// values are 65,535. Throws UsageError if integers are asked for and the spacing is not the same
/// along all axes, or if scaled values are asked for with a sign.
VolumeData toVolume(const DistanceMap& map, DistanceForm form, const VolumeData& like);

/// Returns the type of the voxels that toVolume() returns. Throws as toVolume().
VoxelType typeOfMap(DistanceForm form, DistanceSide side, const gpu::DistanceOptions& options);

/// Returns a volume of 32-bit integers: for each voxel the raster index of the nearest feature, or
/// 4294967295 if there is none. Spacing, axes and placement are those of `like`.
VolumeData nearestVolume(const DistanceMap& map, const VolumeData& like);

}  // namespace glint::study
