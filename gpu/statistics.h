// Statistics from the exact sums of a plane, and the threshold that follows from them.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/crowd.h"
#include "shared/results.h"

namespace glint::gpu {

/// A sum of 64 bits from the words that results have it in.
inline uint64_t joinWords(uint32_t low, uint32_t high) {
  return uint64_t{high} << 32 | low;
}

/// Mean of a layer of `pixels` values.
double mean(const shared::PlaneStatistics& s, uint64_t pixels);

/// Population variance of a layer of `pixels` values; exact to the rounding of one double.
double variance(const shared::PlaneStatistics& s, uint64_t pixels);

/// clamp(ceil(mean + k * stddev), 1, full); full scale where all pixels are masked.
uint32_t automaticThreshold(const shared::PlaneStatistics& s, uint64_t pixels, double k,
                            uint32_t fullScale);

/// The dark ground of a plane, from samples: what is left after bright samples have been removed
/// repeatedly. Not valid where `used` is 0.
struct Ground {
  uint32_t all = 0;   ///< samples that count
  uint32_t used = 0;  ///< of the ground, at least half of them
  uint64_t sum = 0;   ///< of their values
  uint64_t squares = 0;
  uint32_t bright = 0;  ///< samples well above the ground
  Crowd crowd = {};     ///< what the same samples tell of crowded markers; valid or not by itself
  bool operator==(const Ground&) const = default;
};

/// Begins with the lower half of `values` (~0: does not count), and takes all up to four standard
/// deviations above the mean until that changes nothing. `most`: the greatest value of the plane.
/// Bright are those above the mean by five deviations and by 1/32 of what `most` is.
Ground groundOf(std::span<const uint32_t> values, uint32_t most);

/// Whether the brightest pixels may be more than markers: their spread is that of 1.5 % or more of
/// them at the maximum. Otherwise a Ground says nothing.
bool isWide(const shared::PlaneStatistics& s, uint64_t pixels);

/// Whether markers may be crowded: their spread is that of 0.4 % or more of the pixels at the
/// maximum. Otherwise a Crowd says nothing.
bool mayBeCrowded(const shared::PlaneStatistics& s, uint64_t pixels);

/// The value a candidate must reach, and how far it must rise above large areas around it.
struct Level {
  uint32_t threshold, prominence;
};

/// automaticThreshold(), or crowdedLevel() where that is lower; but where the ground is dark (it
/// and its threshold in the lowest quarter of what there is) and 2 % of the samples are bright, be
/// it a lamp, a window or a strip of light: of the ground alone, at least 1/32 of the way to the
/// maximum above it, and a prominence of half of what the threshold is above it.
Level automaticLevel(const shared::PlaneStatistics& s, uint64_t pixels, const Ground& ground,
                     double k, uint32_t fullScale);

/// ceil(fraction * full), fraction in [0, 1].
uint32_t fixedThreshold(double fraction, uint32_t fullScale);

}  // namespace glint::gpu
