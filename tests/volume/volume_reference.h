// Computes the distances of volumes by their definition, without any of the shortcuts that the
// kernels take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/volume/volume.h"

namespace glint::reference {

/// A volume of features, one byte for each voxel, in raster order. A voxel is a feature if it is
/// not 0.
struct FeatureVolume {
  std::string name;
  gpu::VolumeShape shape;
  std::vector<uint8_t> voxels;

  /// Returns the voxels as DistanceTransform takes them, one bit each.
  std::vector<uint32_t> bits() const;
};

/// Returns a random volume of 1 to `mostSide` voxels a side. Different seeds give all densities,
/// and also empty and full volumes.
FeatureVolume randomVolume(uint32_t seed, uint32_t mostSide);

/// Returns volumes that are empty, full, have one feature in a corner or in the middle, or show
/// balls, a checkerboard, planes, or a diagonal.
std::vector<FeatureVolume> adversarialVolumes(const gpu::VolumeShape& shape);

struct Distances {
  /// The distance of each voxel, or kNoDistance if there is no feature.
  std::vector<uint32_t> values;
  /// The squared euclidean distances, in units of options.unit() squared.
  std::vector<double> squared;
  /// The lowest raster index of the nearest features, or kNoDistance if there is none.
  std::vector<uint32_t> nearest;
};

/// Returns euclidean distances by comparing every voxel with every feature.
Distances bruteEuclidean(const FeatureVolume& volume, const gpu::DistanceOptions& options);

/// Returns euclidean distances by transforming one axis after another; each voxel of a column is
/// compared with all others of it.
Distances columnEuclidean(const FeatureVolume& volume, const gpu::DistanceOptions& options);

/// Returns distances in steps by applying the equation of their definition again and again, until
/// nothing changes.
std::vector<uint32_t> fixedPoint(const FeatureVolume& volume, gpu::Metric metric);

/// Returns the steps to the nearest feature from a closed formula, by comparing every voxel with
/// every feature.
std::vector<uint32_t> bruteSteps(const FeatureVolume& volume, gpu::Metric metric);

}  // namespace glint::reference
