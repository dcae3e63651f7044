// Spots near a place are those that a comparison with every spot finds.
#include "gpu/detect/spot_grid.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace glint {
namespace {

using gpu::Spot;

std::vector<Spot> randomSpots(size_t count, float width, float height, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Spot> spots(count);
  // Raw numbers, because distributions differ between libraries.
  const auto next = [&](float most) { return most * static_cast<float>(random() % 4096) / 4096; };
  for (uint32_t i = 0; i < count; ++i) spots[i] = {next(width), next(height), i};
  return spots;
}

/// Compares the neighbours of every spot, and of places outside, with those found one by one.
void expectNeighbours(const std::vector<Spot>& spots, double made, double asked) {
  const gpu::SpotGrid grid(spots, made);
  std::vector<Spot> places = spots;
  places.push_back({-50, 3, 0});
  places.push_back({5000, 5000, 0});
  for (const Spot& place : places) {
    std::multiset<uint32_t> got, want;
    grid.near(place.x, place.y, asked, [&](const Spot& spot) { got.insert(spot.index); });
    for (const Spot& spot : spots) {
      if (std::abs(double{spot.x} - place.x) < asked && std::abs(double{spot.y} - place.y) < asked)
        want.insert(spot.index);
    }
    EXPECT_EQ(got, want);
  }
}

TEST(SpotGrid, FindsTheSameAsComparingAll) {
  for (const size_t count : {0U, 1U, 2U, 50U, 700U}) {
    for (const auto& [width, height] :
         {std::pair(1920.0F, 1080.0F), {1920.0F, 1.0F}, {3.0F, 900.0F}, {20.0F, 20.0F}}) {
      const auto spots = randomSpots(count, width, height, static_cast<uint32_t>(count) + 1);
      for (const double reach : {0.5, 8.0, 21.6, 3000.0}) {
        expectNeighbours(spots, reach, reach);
        expectNeighbours(spots, reach, reach / 3);
      }
    }
  }
}

TEST(SpotGrid, SpotsMayLieOnTopOfEachOther) {
  expectNeighbours(std::vector<Spot>(30, Spot{7, 9, 1}), 8, 8);
}

}  // namespace
}  // namespace glint
