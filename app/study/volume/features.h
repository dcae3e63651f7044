// Which voxels of a volume are features.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/study/volume/voxels.h"

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

}  // namespace glint::study
