// The place of a pixel as one number, as in shared::Candidate::place.
#pragma once

#include <cstdint>

#include "shared/results.h"

namespace glint::gpu {

/// Returns y << 16 | x, px.
inline uint32_t placeOf(uint32_t x, uint32_t y) {
  return y << 16 | x;
}

/// Returns the place of a detection's peak.
inline uint32_t placeOf(const shared::Detection& d) {
  return placeOf(d.peakX, d.peakY);
}

}  // namespace glint::gpu
