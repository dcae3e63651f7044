// Computes statistics from the exact sums of a plane, and from them the automatic threshold.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/crowd.h"
#include "shared/results.h"

namespace glint::gpu {

/// Returns the 64-bit number that results store as two words.
inline uint64_t joinWords(uint32_t low, uint32_t high) {
  return uint64_t{high} << 32 | low;
}

/// Returns the mean of a layer of `pixels` values.
double mean(const shared::PlaneStatistics& s, uint64_t pixels);

/// Returns the population variance of a layer of `pixels` values. Only the last step rounds.
double variance(const shared::PlaneStatistics& s, uint64_t pixels);

/// Returns clamp(ceil(mean + k * stddev), 1, fullScale), or fullScale if all pixels are masked.
uint32_t automaticThreshold(const shared::PlaneStatistics& s, uint64_t pixels, double k,
                            uint32_t fullScale);

/// The dark background of a plane, from samples: those that are left after bright samples have been
/// removed repeatedly. Not valid if `used` is 0.
struct Ground {
  uint32_t all = 0;      ///< number of samples that count
  uint32_t used = 0;     ///< number of samples of the background, at least half of them
  uint64_t sum = 0;      ///< sum of their values
  uint64_t squares = 0;  ///< sum of their squared values
  uint32_t bright = 0;   ///< number of samples well above the background
  Crowd crowd = {};      ///< crowded markers in the same samples; it has a validity of its own
  bool operator==(const Ground&) const = default;
};

/// Estimates the dark background from samples, of which ~0 does not count. It begins with the lower
/// half of `values`. Then it takes all values up to four standard deviations above the mean, and
/// repeats this until nothing changes. `most` is the greatest value of the plane. A sample is
/// bright if it exceeds the mean by five standard deviations and by 1/32 of the distance from the
/// mean to `most`.
Ground groundOf(std::span<const uint32_t> values, uint32_t most);

/// Returns true if the bright pixels may be more than markers: the standard deviation is at least
/// that of a plane in which 1.5 % of the pixels are at the maximum. Otherwise a Ground is not
/// needed.
bool isWide(const shared::PlaneStatistics& s, uint64_t pixels);

/// Returns true if markers may be crowded: the standard deviation is at least that of a plane in
/// which 0.4 % of the pixels are at the maximum. Otherwise a Crowd is not needed.
bool mayBeCrowded(const shared::PlaneStatistics& s, uint64_t pixels);

/// The least value of a candidate, and how far it must exceed large areas around it, in counts.
struct Level {
  uint32_t threshold, prominence;
};

/// Returns the automatic threshold of a plane. Usually it is automaticThreshold(), or
/// crowdedLevel() if that is lower.
///
/// It is different if a lamp, a window or another area of light lies beside a dark background. This
/// is so if 2 % of the samples are bright, and if the mean of the background and its own threshold
/// are in the lowest quarter up to the maximum. The threshold is then that of the background alone,
/// mean + k * stddev, and at least 1/32 of the way from its mean to the maximum. The prominence is
/// half of the threshold's height above the mean.
Level automaticLevel(const shared::PlaneStatistics& s, uint64_t pixels, const Ground& ground,
                     double k, uint32_t fullScale);

/// Returns ceil(fraction * fullScale). `fraction` is 0 to 1.
uint32_t fixedThreshold(double fraction, uint32_t fullScale);

}  // namespace glint::gpu
