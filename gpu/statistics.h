// What the exact sums of a plane say, and the threshold that follows from them.
#pragma once

#include <cstdint>

#include "shared/results.h"

namespace glint {

/// Mean of a layer of `pixels` values.
double mean(const shared::PlaneStatistics& s, uint64_t pixels);

/// Population variance of a layer of `pixels` values; exact to the rounding of one double.
double variance(const shared::PlaneStatistics& s, uint64_t pixels);

/// clamp(ceil(mean + k * stddev), 1, full); full scale where all pixels are masked.
uint32_t automaticThreshold(const shared::PlaneStatistics& s, uint64_t pixels, double k,
                            uint32_t fullScale);

/// ceil(fraction * full), fraction in [0, 1].
uint32_t fixedThreshold(double fraction, uint32_t fullScale);

}  // namespace glint
