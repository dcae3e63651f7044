// Sorts samples of a picture. It must be fast, because it runs for every frame whose markers may be
// crowded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace glint::gpu {

constexpr uint32_t kUncounted = ~0U;  ///< the value of a sample that does not count

/// Returns the samples that count, sorted from the least to the greatest.
std::vector<uint32_t> sortedSamples(std::span<const uint32_t> samples);

}  // namespace glint::gpu
