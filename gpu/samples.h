// Samples of a picture in order: for every frame whose markers may be crowded, so it has to be
// quick.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace glint::gpu {

constexpr uint32_t kUncounted = ~0U;  ///< in place of a sample that does not count

/// Those that count, the least first.
std::vector<uint32_t> sortedSamples(std::span<const uint32_t> samples);

}  // namespace glint::gpu
