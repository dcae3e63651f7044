// Tests the options: each test changes one of them and shows the effect that its documentation
// promises.
#include <memory>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "app/motion/space/correspond.h"
#include "app/motion/space/point_filter.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/point_stitcher.h"
#include "app/motion/space/point_tracker.h"
#include "tests/geometry/rigs.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

// Returns how many points are found of 30 markers if every dot is missing with the probability
// `unseen`.
size_t pointsOf(const motion::CorrespondOptions& options, double unseen) {
  std::mt19937 random(5);
  const motion::Rig rig = ringRig(4);
  const motion::SpaceRig space(rig);
  const motion::NoiseFloor floor(space.size());
  const motion::SpaceSet set = viewOf(rig, anywhere(30, random), {.unseen = unseen}, random);
  motion::DotIndex dots(space, floor, set);
  return motion::correspond(space, dots, options).size();
}

TEST(SpaceOptions, PointsOfTwoRaysAreFoundIfAllowed) {
  EXPECT_GT(pointsOf({.twoRays = true}, 0.4), pointsOf({.twoRays = false}, 0.4));
}

TEST(SpaceOptions, UnseenCamerasRefusePointsOfTwoRays) {
  motion::CorrespondOptions options;
  options.maxUnseen = 0;
  EXPECT_LT(pointsOf(options, 0.4), pointsOf({}, 0.4));
}

TEST(SpaceOptions, GateOfRays) {
  motion::CorrespondOptions options;
  options.gate = 0.1;
  EXPECT_LT(pointsOf(options, 0), pointsOf({}, 0));
}

TEST(SpaceOptions, JerkIsLearntWithinItsBounds) {
  motion::JerkOptions options;
  options.max = 1e11;
  motion::LearnedJerk jerk(options.start, options);
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  for (int n = 0; n < 100; ++n) jerk.learn({100, 0, 0}, one, 1e-6 * one);
  EXPECT_NEAR(jerk.value(), options.max, 1);
  options.gain = 0;
  motion::LearnedJerk fixed(options.start, options);
  fixed.learn({100, 0, 0}, one, one);
  EXPECT_NEAR(fixed.value(), options.start, 1);
}

TEST(SpaceOptions, OddsOfStitching) {
  for (const bool strict : {false, true}) {
    motion::PointStitcherOptions options;
    if (strict) options.odds = 1e12;
    motion::PointStitcher stitcher(4, options);
    stitcher.remember({7, {0, 0, 1000}, {0, 0, 0}}, 1, {});
    const motion::NewPoint found{{0, {5, 0, 1000}, {0, 0, 0}}, 1.5};
    EXPECT_EQ(stitcher.join({&found, 1}, {}, 1.6).at(0), strict ? 0U : 7U);
  }
}

TEST(SpaceOptions, UnconfirmedTracksEndAfterTheirGap) {
  // A marker is seen in every fourth set only.
  const auto pointsOfBlinking = [](uint64_t maxUnconfirmedGap) {
    std::mt19937 random(6);
    const motion::Rig rig = ringRig(4);
    motion::PointTrackerOptions options;
    options.maxUnconfirmedGap = maxUnconfirmedGap;
    Settings::Track settings = Settings().track;
    settings.stitchGap = 0;
    motion::PointTracker tracker(std::make_shared<const motion::SpaceRig>(rig), settings, false,
                                 false, nullptr, options);
    // The other marker is always there, so that every set has dots.
    for (uint64_t f = 0; f < 20; ++f) {
      Places markers{{500, 0, 0}};
      if (f % 4 == 0) markers.push_back({0, 0, 0});
      tracker.update(viewOf(rig, markers, {.time = double(f) / 100, .frame = f}, random));
    }
    return tracker.points();
  };
  EXPECT_EQ(pointsOfBlinking(motion::PointTrackerOptions().maxUnconfirmedGap), 1U);
  EXPECT_EQ(pointsOfBlinking(4), 2U);
}

}  // namespace
}  // namespace glint::test
