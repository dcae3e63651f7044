// Keys are sorted as a stable sort that compares them does it.
#include "gpu/detect/radix_sort.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace glint {
namespace {

TEST(RadixSort, IsAStableSortByTheHigherBits) {
  std::mt19937_64 random(5);
  for (const size_t count : {0U, 1U, 2U, 100U, 3000U}) {
    for (const uint64_t bits : {uint64_t{0}, uint64_t{0x1fff}, 0xff00ff00ff00ff00, ~uint64_t{0}}) {
      for (const unsigned firstBit : {0U, 12U, 37U, 60U}) {
        std::vector<uint64_t> got(count);
        for (uint64_t& key : got) key = random() & bits;
        std::vector<uint64_t> want = got;
        std::ranges::stable_sort(want, {}, [&](uint64_t key) { return key >> firstBit; });
        gpu::radixSort(got, firstBit);
        EXPECT_EQ(got, want) << count << " keys of bits " << bits << " from bit " << firstBit;
      }
    }
  }
}

}  // namespace
}  // namespace glint
