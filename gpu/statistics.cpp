#include "gpu/statistics.h"

#include <algorithm>
#include <cmath>

namespace glint {
namespace {

__extension__ typedef unsigned __int128 Wide;  // n * squares and sum^2 reach 2^115

uint64_t join(uint32_t low, uint32_t high) {
  return uint64_t{high} << 32 | low;
}

}  // namespace

double mean(const shared::PlaneStatistics& s, uint64_t pixels) {
  return static_cast<double>(join(s.sumLow, s.sumHigh)) / static_cast<double>(pixels);
}

double variance(const shared::PlaneStatistics& s, uint64_t pixels) {
  const Wide sum = join(s.sumLow, s.sumHigh);
  const Wide squares = join(s.squaresLow, s.squaresHigh);
  const double n = static_cast<double>(pixels);
  return static_cast<double>(squares * pixels - sum * sum) / n / n;
}

uint32_t automaticThreshold(const shared::PlaneStatistics& s, uint64_t pixels, double k,
                            uint32_t fullScale) {
  if (pixels == 0) return fullScale;
  const double level = std::ceil(mean(s, pixels) + k * std::sqrt(variance(s, pixels)));
  return static_cast<uint32_t>(std::clamp(level, 1.0, static_cast<double>(fullScale)));
}

uint32_t fixedThreshold(double fraction, uint32_t fullScale) {
  return static_cast<uint32_t>(std::ceil(fraction * fullScale));
}

}  // namespace glint
