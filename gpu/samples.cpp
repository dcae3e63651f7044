#include "gpu/samples.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace glint::gpu {

/// Sorts byte by byte (radix sort). Most samples have 8 bits, and sorting 2048 of them by
/// comparisons would take 20 times as long.
std::vector<uint32_t> sortedSamples(std::span<const uint32_t> samples) {
  std::vector<uint32_t> sorted;
  sorted.reserve(samples.size());
  for (const uint32_t value : samples)
    if (value != kUncounted) sorted.push_back(value);
  if (sorted.empty()) return sorted;
  const uint32_t most = *std::max_element(sorted.begin(), sorted.end());
  std::vector<uint32_t> before(sorted.size());
  for (uint32_t shift = 0; shift < 32 && most >> shift != 0; shift += 8) {
    before.swap(sorted);
    const auto byteOf = [shift](uint32_t value) { return value >> shift & 255; };
    std::array<size_t, 256> next{};
    for (const uint32_t value : before) ++next[byteOf(value)];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), size_t{0});
    for (const uint32_t value : before) sorted[next[byteOf(value)]++] = value;
  }
  return sorted;
}

}  // namespace glint::gpu
