// Tests which places lie around a place: a grid must find the same as a comparison with all, and
// its work must grow with the number of places and not with its square.
#include "app/motion/track/place_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace glint {
namespace {

std::vector<motion::GridPlace> scatteredPlaces(size_t count, double width, double height,
                                               uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> across(0, width), down(0, height);
  std::vector<motion::GridPlace> all(count);
  for (motion::GridPlace& place : all) place = {across(random), down(random)};
  return all;
}

std::vector<size_t> around(const motion::PlaceGrid& grid, const motion::GridPlace& from, double x,
                           double y) {
  std::vector<size_t> found;
  grid.around(from, x, y, [&](size_t i) { found.push_back(i); });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<size_t> aroundOfAll(const std::vector<motion::GridPlace>& all,
                                const motion::GridPlace& from, double x, double y) {
  std::vector<size_t> found;
  for (size_t i = 0; i < all.size(); ++i)
    if (std::abs(all[i].x - from.x) <= x && std::abs(all[i].y - from.y) <= y) found.push_back(i);
  return found;
}

TEST(PlaceGrid, FindsWhatALookAtAllFinds) {
  constexpr double kNowhere = std::numeric_limits<double>::infinity();
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<motion::GridPlace>> scenes{{},
                                                     {{3, 4}},
                                                     std::vector<motion::GridPlace>(20, {7, 7}),
                                                     scatteredPlaces(500, 640, 480, 1),
                                                     scatteredPlaces(300, 900, 0, 2),
                                                     scatteredPlaces(300, 0.5, 0.5, 3)};
  scenes.push_back(scatteredPlaces(200, 100, 100, 4));
  scenes.back().insert(scenes.back().end(), {{kNowhere, 3},
                                             {50, kUnknown},
                                             {-kNowhere, -kNowhere},
                                             {1e300, 2},
                                             {40, -1e300},
                                             {-5e8, 5e8}});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-50, 700), reach(0, 60);
  for (size_t s = 0; s < scenes.size(); ++s) {
    SCOPED_TRACE(testing::Message() << "scene " << s);
    const motion::PlaceGrid grid(scenes[s]);
    std::vector<motion::GridPlace> queries = scenes[s];
    for (int i = 0; i < 100; ++i) queries.push_back({place(random), place(random)});
    for (const motion::GridPlace& from : queries) {
      if (!std::isfinite(from.x) || !std::isfinite(from.y)) continue;
      for (const double x : {0.0, reach(random), 1e4}) {
        const double y = x > 100 ? 1e4 : reach(random);
        ASSERT_EQ(around(grid, from, x, y), aroundOfAll(scenes[s], from, x, y));
      }
    }
  }
}

TEST(PlaceGrid, WorkGrowsAsTheNumberOfPlaces) {
  constexpr double kReach = 8;
  for (const size_t count : {1000, 4000, 16000}) {
    // The side grows with the count (px), so the density stays the same.
    const double side = 20 * std::sqrt(static_cast<double>(count));
    const auto all = scatteredPlaces(count, side, side, 6);
    const motion::PlaceGrid grid(all);
    size_t compared = 0, found = 0;
    for (const motion::GridPlace& from : all)
      compared += grid.around(from, kReach, kReach, [&](size_t) { ++found; });
    EXPECT_GT(found, count);  // Each place finds itself and some neighbours.
    EXPECT_LT(compared, 5 * count);
  }
}

}  // namespace
}  // namespace glint
