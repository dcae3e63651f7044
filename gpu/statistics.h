// Computes statistics from the exact sums of a plane, and from them the automatic threshold.
#pragma once

#include <cstddef>
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

/// The numbers that decide what a dark background and bright areas are.
/// tests/gpu/threshold_test.cpp guards them.
struct GroundOptions {
  /// A plane is wide if its standard deviation is at least that of a plane in which this share of
  /// the pixels is at the maximum. Raising it examines fewer pictures for lamps.
  double wideShare = 0.015;
  /// Markers may be crowded in a plane if its standard deviation is at least that of a plane in
  /// which this share of the pixels is at the maximum. Raising it examines fewer pictures.
  double crowdedShare = 0.004;
  /// The smallest number of samples from which a background is estimated.
  size_t minSamples = 64;
  /// The largest number of rounds in which bright samples are removed. It ends sooner if nothing
  /// changes any more.
  int maxRounds = 50;
  /// Samples belong to the background up to this many standard deviations above its mean. Raising
  /// it takes more of the light around lamps for background.
  double clipSigmas = 4;
  /// Samples are bright from this many standard deviations above the mean on. Raising it sees fewer
  /// lamps.
  double brightSigmas = 5;
  /// The smallest height of bright samples, and of the threshold, above the mean of the background,
  /// as a share of the height of the brightest pixel. Raising it loses dim markers beside lamps;
  /// lowering it takes the glow of lamps for markers.
  double minHeight = 1.0 / 32;
  /// The share of bright samples from which on they are a lamp or another area of light. Markers
  /// are fewer. Raising it overlooks smaller lamps.
  double minBrightShare = 0.02;
  /// The largest mean of the background, and the largest height of its own threshold above it, as
  /// shares of the way to the brightest pixel. Raising it treats brighter and rougher scenes as
  /// dark.
  double maxDark = 0.25;
};

/// Estimates the dark background from samples, of which ~0 does not count. It begins with the lower
/// half of `values`. Then it takes all values up to four standard deviations above the mean, and
/// repeats this until nothing changes. `most` is the greatest value of the plane. A sample is
/// bright if it exceeds the mean by five standard deviations and by 1/32 of the distance from the
/// mean to `most`. All numbers in this description are the defaults of `options`.
Ground groundOf(std::span<const uint32_t> values, uint32_t most, const GroundOptions& options = {});

/// Returns true if the bright pixels may be more than markers: see GroundOptions::wideShare.
/// Otherwise a Ground is not needed.
bool isWide(const shared::PlaneStatistics& s, uint64_t pixels, const GroundOptions& options = {});

/// Returns true if markers may be crowded: see GroundOptions::crowdedShare. Otherwise a Crowd is
/// not needed.
bool mayBeCrowded(const shared::PlaneStatistics& s, uint64_t pixels,
                  const GroundOptions& options = {});

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
                     double k, uint32_t fullScale, const GroundOptions& options = {});

/// Returns ceil(fraction * fullScale). `fraction` is 0 to 1.
uint32_t fixedThreshold(double fraction, uint32_t fullScale);

}  // namespace glint::gpu
