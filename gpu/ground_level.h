// Computes the threshold that a plane would have if it consisted of its background alone.
#pragma once

#include <cstdint>

namespace glint::gpu {

/// The level and the noise of a background, in counts.
struct GroundLevel {
  double mean = 0, deviation = 0;

  /// Returns the automatic threshold of the background alone: the mean plus `k` standard
  /// deviations, but at least `minHeight` of the way from the mean to `most`, the greatest value of
  /// the plane.
  double threshold(double k, uint32_t most, double minHeight) const;
};

/// Returns the level and the noise of a background: the mean and the standard deviation of `count`
/// samples, at least one, with this sum and this sum of squares.
GroundLevel levelOf(uint32_t count, uint64_t sum, uint64_t squares);

}  // namespace glint::gpu
