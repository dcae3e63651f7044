// Differences of the device's time stamps.
#pragma once

#include <cstdint>

namespace glint::gpu {

/// Ticks from one time stamp to a later one. The device counts in `validBits` bits, 1 to 64
/// (VkQueueFamilyProperties::timestampValidBits), and starts again at 0 after the last; the bits
/// above them are undefined. The two must lie less than one whole round apart.
inline uint64_t ticksBetween(uint64_t from, uint64_t to, uint32_t validBits) {
  const uint64_t valid = ~uint64_t{0} >> (64 - validBits);
  return (to - from) & valid;
}

}  // namespace glint::gpu
