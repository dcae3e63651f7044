// A pixel's place as one number, as shared::Candidate::place has it.
#pragma once

#include <cstdint>

#include "shared/results.h"

namespace glint::gpu {

/// y << 16 | x, px.
inline uint32_t placeOf(uint32_t x, uint32_t y) {
  return y << 16 | x;
}

/// Of its peak.
inline uint32_t placeOf(const shared::Detection& d) {
  return placeOf(d.peakX, d.peakY);
}

}  // namespace glint::gpu
