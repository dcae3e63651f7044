#include "app/study/volume/features.h"

#include <cmath>

namespace glint::study {

Features findFeatures(const VolumeData& volume, const FeatureRule& rule) {
  const gpu::VolumeShape& shape = volume.shape;
  Features features;
  features.bits.assign(size_t{shape.words()} * shape.rows(), 0);
  const auto counts = [&](double value) {
    if (!rule.labels) return value > rule.threshold;
    return rule.label ? value == *rule.label : value != 0 && !std::isnan(value);
  };
  withVoxels(volume, [&](const auto voxels) {
    for (size_t row = 0; row < shape.rows(); ++row) {
      for (size_t x = 0; x < shape.width; ++x) {
        const auto value = static_cast<double>(voxels[row * shape.width + x]);
        features.nans += std::isnan(value) ? 1 : 0;
        if (!counts(value)) continue;
        features.bits[row * shape.words() + x / 32] |= 1U << x % 32;
        ++features.count;
      }
    }
  });
  return features;
}

}  // namespace glint::study
