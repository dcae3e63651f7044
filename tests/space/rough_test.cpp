// Tests points whose markers move roughly: fast flights, impacts, and passes.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "app/motion/space/point_tracker.h"
#include "app/motion/space/speed_prior.h"
#include "tests/geometry/rigs.h"
#include "tests/space/rough_scene.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

RoughScore scoreOf(const RoughOptions& options) {
  const RoughScene scene = roughScene(options);
  return judge(scene, rowsOf(scene.rig, scene.sets));
}

struct Flying {
  double rate, speed;  // Hz, mm/s
};
constexpr Flying kFlights[] = {{240, 60'000}, {100, 40'000}, {60, 20'000}};

TEST(RoughPoints, AreFollowedHoweverFast) {
  for (const Flying& flying : kFlights)
    for (const bool ballistic : {false, true})
      for (const size_t cameras : {4, 8}) {
        const RoughScore score = scoreOf({.cameras = cameras,
                                          .rate = flying.rate,
                                          .fast = 1,
                                          .fastSpeed = flying.speed,
                                          .ballistic = ballistic});
        EXPECT_GT(score.flyingDue, 50u);
        EXPECT_GE(score.flyingRecall(), 0.9) << score.text();
        EXPECT_EQ(score.ghosts, 0u) << score.text();
      }
}

TEST(RoughPoints, AreFollowedFastAmongSlowOnes) {
  for (const Flying& flying : kFlights) {
    const RoughScore score = scoreOf({.rate = flying.rate,
                                      .slow = 20,
                                      .fast = 1,
                                      .fastSpeed = flying.speed,
                                      .ballistic = true,
                                      .unseen = 0.05});
    EXPECT_GE(score.flyingRecall(), 0.99) << score.text();
    EXPECT_GE(score.recall(), 0.999) << score.text();
    EXPECT_EQ(score.ghosts + score.duplicates + score.switches, 0u) << score.text();
  }
}

TEST(RoughPoints, OfBouncingMarkersKeepTheirIds) {
  const RoughScene scene =
      roughScene({.bouncing = 50, .bounceSpeed = 3000, .stops = 0.5, .unseen = 0.05, .seed = 3});
  ASSERT_GT(scene.impacts, 300u);
  const RoughScore score = judge(scene, rowsOf(scene.rig, scene.sets));
  EXPECT_GE(score.recall(), 0.999) << score.text();
  EXPECT_EQ(score.ghosts, 0u) << score.text();
  EXPECT_EQ(score.duplicates, 0u) << score.text();
  EXPECT_LE(100 * score.switches, scene.impacts) << score.text();
  EXPECT_LE(score.ids, 51u);
}

// One marker falls at 1 m/s and bounces back once.
TEST(RoughPoints, OfOneMarkerKeepTheirIdThroughABounce) {
  std::mt19937 random(4);
  const motion::Rig rig = ringRig(8);
  std::vector<motion::SpaceSet> sets;
  for (uint64_t f = 0; f < 60; ++f) {
    const double time = double(f) / 100, height = 1000 * std::abs(0.297 - time);
    sets.push_back(viewOf(rig, {{100, 50, height}}, {.time = time, .frame = f}, random));
  }
  const auto rows = rowsOf(rig, sets);
  EXPECT_EQ(rows.size(), 60u);
  for (const motion::SpaceRow& row : rows) {
    EXPECT_EQ(row.point, 1u);
    EXPECT_EQ(row.state, motion::TrackState::measured);
  }
}

TEST(RoughPoints, OfMarkersThatPassAreNotDoubled) {
  const RoughScene scene = roughScene({.pairs = 20, .merged = 3, .seed = 12});
  const RoughScore score = judge(scene, rowsOf(scene.rig, scene.sets));
  EXPECT_GE(score.recall(), 0.998) << score.text();
  EXPECT_EQ(score.ghosts + score.duplicates + score.switches, 0u) << score.text();
}

TEST(RoughPoints, AreFollowedThroughBurstsAndClutter) {
  for (const double degrees : {0.0, 0.02}) {
    RoughScene scene = roughScene({.frames = 300,
                                   .bouncing = 60,
                                   .bounceSpeed = 5000,
                                   .stops = 1,
                                   .unseen = 0.1,
                                   .bursts = 1,
                                   .clutter = 10,
                                   .merged = 3,
                                   .seed = 12});
    std::mt19937 random(12);
    const RoughScore score =
        judge(scene, rowsOf(disturbed(scene.rig, degrees, 50 * degrees, random), scene.sets));
    EXPECT_GE(score.recall(), 0.999) << score.text();
    EXPECT_LE(score.ghosts + score.duplicates, 3u) << score.text();
    EXPECT_LE(100 * score.switches, scene.impacts) << score.text();
  }
}

// A limit on the speed leaves out fast markers that are followed without it.
TEST(RoughPoints, ObeyTheLimitOfTheirSpeed) {
  const RoughScene scene = roughScene({.slow = 3, .fast = 1, .fastSpeed = 30'000});
  const auto pointsUpTo = [&](double limit) {
    Settings::Track settings = Settings().track;
    settings.spaceSpeed = limit;
    motion::PointTracker tracker(std::make_shared<const motion::SpaceRig>(scene.rig), settings);
    for (const motion::SpaceSet& set : scene.sets) tracker.update(set);
    return tracker.points();
  };
  EXPECT_GT(pointsUpTo(0), 4u);
  EXPECT_GT(pointsUpTo(40'000), 4u);
  EXPECT_EQ(pointsUpTo(20'000), 3u);
}

TEST(SpeedPrior, LearnsHowManyMarkersAreFast) {
  motion::SpeedPrior prior({}, 0);
  ASSERT_EQ(prior.classes(), 4u);  // The classes are 2, 8, 32 and 128 m/s.
  const double before = prior[2].weight;
  for (int i = 0; i < 30; ++i) prior.learn({40'000, 20'000, -10'000});
  EXPECT_GT(prior[2].weight, 0.6);
  EXPECT_GT(prior[2].weight, 5 * before);
  double sum = 0;
  for (size_t i = 0; i < prior.classes(); ++i) sum += prior[i].weight;
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(SpeedPrior, EndsAtTheLimit) {
  const motion::SpeedPrior none({}, 0), fast({}, 20'000), slow({}, 1000);
  EXPECT_FALSE(none.forbids(1e9, 0.01));
  ASSERT_EQ(fast.classes(), 3u);
  EXPECT_EQ(fast[2].sigma, 10'000);
  EXPECT_TRUE(fast.forbids(201, 0.01));
  EXPECT_FALSE(fast.forbids(199, 0.01));
  ASSERT_EQ(slow.classes(), 1u);
  EXPECT_EQ(slow.slowest(), 500);
}

}  // namespace
}  // namespace glint::test
