// The pairs of near spots are those that a comparison of all pairs finds.
#include "gpu/detect/spot_grid.h"

#include <random>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace glint {
namespace {

using gpu::Spot;

std::vector<Spot> randomSpots(size_t count, float width, float height, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Spot> spots(count);
  // Raw numbers, because distributions differ between libraries.
  const auto next = [&](float most) { return most * static_cast<float>(random() % 4096) / 4096; };
  for (uint32_t i = 0; i < count; ++i) spots[i] = {next(width), next(height), 0, i};
  return spots;
}

void expectPairs(const std::vector<Spot>& spots, double reach) {
  const gpu::SpotGrid grid(spots, reach);
  std::multiset<std::pair<uint32_t, uint32_t>> got, want;
  grid.forEachPair(
      [&](const Spot& a, const Spot& b) { got.insert(std::minmax(a.index, b.index)); });
  for (size_t i = 0; i < spots.size(); ++i) {
    for (size_t k = i + 1; k < spots.size(); ++k) {
      const double dx = double{spots[i].x} - spots[k].x, dy = double{spots[i].y} - spots[k].y;
      if (std::abs(dx) < reach && std::abs(dy) < reach)
        want.insert(std::minmax(spots[i].index, spots[k].index));
    }
  }
  EXPECT_EQ(got, want);
}

TEST(SpotGrid, FindsTheSamePairsAsComparingAll) {
  for (const size_t count : {0U, 1U, 2U, 50U, 700U}) {
    for (const auto& [width, height] :
         {std::pair(1920.0F, 1080.0F), {1920.0F, 1.0F}, {3.0F, 900.0F}, {20.0F, 20.0F}}) {
      const auto spots = randomSpots(count, width, height, static_cast<uint32_t>(count) + 1);
      for (const double reach : {0.5, 8.0, 21.6, 3000.0}) expectPairs(spots, reach);
    }
  }
}

TEST(SpotGrid, SpotsMayLieOnTopOfEachOther) {
  expectPairs(std::vector<Spot>(30, Spot{7, 9, 0, 1}), 8);
}

}  // namespace
}  // namespace glint
