// What distances of volumes are, written down as defined, without any shortcut that the kernels
// take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/volume/volume.h"

namespace glint::reference {

/// Features of a volume, one byte a voxel, in raster order.
struct FeatureVolume {
  std::string name;
  gpu::VolumeShape shape;
  std::vector<uint8_t> voxels;

  std::vector<uint32_t> bits() const;  ///< as DistanceTransform takes them
};

/// Random volumes of 1 to `mostSide` voxels a side and all densities, empty and full ones among
/// them.
FeatureVolume randomVolume(uint32_t seed, uint32_t mostSide);

/// Empty, full, one feature in a corner or in the middle, balls, a checkerboard, planes, a
/// diagonal.
std::vector<FeatureVolume> adversarialVolumes(const gpu::VolumeShape& shape);

struct Distances {
  std::vector<uint32_t> values;   ///< kNoDistance: none
  std::vector<double> squared;    ///< euclidean, in units of options.unit() squared
  std::vector<uint32_t> nearest;  ///< the lowest raster index, kNoDistance: none
};

/// Euclidean distances, looking at every feature from every voxel.
Distances bruteEuclidean(const FeatureVolume& volume, const gpu::DistanceOptions& options);

/// The same, one axis after another, looking at every voxel of a column from every other one.
Distances columnEuclidean(const FeatureVolume& volume, const gpu::DistanceOptions& options);

/// Steps: the definition's equation again and again, until nothing changes.
std::vector<uint32_t> fixedPoint(const FeatureVolume& volume, gpu::Metric metric);

/// Steps to the nearest feature in closed form, looking at every feature from every voxel.
std::vector<uint32_t> bruteSteps(const FeatureVolume& volume, gpu::Metric metric);

}  // namespace glint::reference
