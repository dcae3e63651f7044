#include "gpu/ground_level.h"

#include <algorithm>
#include <cmath>

namespace glint::gpu {

double GroundLevel::threshold(double k, uint32_t most, double minHeight) const {
  return mean + std::max(k * deviation, minHeight * (most - mean));
}

GroundLevel levelOf(uint32_t count, uint64_t sum, uint64_t squares) {
  const uint64_t wide = squares * count - sum * sum;  // below 2^54
  return {static_cast<double>(sum) / count, std::sqrt(static_cast<double>(wide)) / count};
}

}  // namespace glint::gpu
