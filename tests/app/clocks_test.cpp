// Tests how a camera's clock is mapped to the host's, and which rates follow from the times of its
// frames.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "app/capture/sets/frame_pace.h"
#include "app/capture/source/clock_map.h"

namespace glint {
namespace {

class ClockMapTest : public testing::TestWithParam<double> {};

TEST_P(ClockMapTest, TellsTheHostsTimeThroughAWayThatVaries) {
  constexpr double kRate = 50, kLeastWay = 0.003, kMeanMore = 0.004;  // s
  const double drift = GetParam();
  std::mt19937 random(1);
  std::exponential_distribution<double> more(1 / kMeanMore);
  capture::ClockMap map;
  double before = 0;
  int known = 0, beyond = 0;
  bool clamped = true;  // True if the last frame came sooner than any frame before it.
  for (int frame = 0; frame < 60 * 50; ++frame) {
    const double taken = 100 + frame / kRate;
    const double own = 7 + (taken - 100) * (1 + drift);
    const double arrival = taken + kLeastWay + more(random);
    const double hostTime = map.toHost(own, arrival);
    EXPECT_LE(hostTime, arrival);
    if (frame > 3 * kRate) {
      EXPECT_NEAR(hostTime, taken + kLeastWay, 0.001) << frame;
      // The tolerance is 0.1 % and the drift of one interval.
      if (!clamped && hostTime < arrival) {
        EXPECT_NEAR(hostTime - before, 1 / kRate, 0.0011 / kRate) << frame;
      }
    }
    if (map.uncertainty() > 0) {
      ++known;
      if (std::abs(hostTime - taken - kLeastWay) > map.uncertainty()) ++beyond;
      EXPECT_LT(map.uncertainty(), 0.003) << frame;
    }
    clamped = hostTime == arrival;
    before = hostTime;
  }
  EXPECT_EQ(map.jumps(), 0U);
  EXPECT_GT(known, 50 * 50);
  EXPECT_LE(beyond, known / 20);
}

INSTANTIATE_TEST_SUITE_P(Drifts, ClockMapTest, testing::Values(50e-6, -50e-6, 0.0));

TEST(ClockMapJumps, OfTheSourceAreNoticed) {
  capture::ClockMap map;
  double jump = 0;
  for (int frame = 0; frame < 200; ++frame) {
    if (frame == 80) jump = 3600;
    if (frame == 140) jump = -5;
    const double taken = 1 + frame * 0.02;
    EXPECT_NEAR(map.toHost(taken + jump, taken + 0.002), taken + 0.002, 1e-9) << frame;
  }
  EXPECT_EQ(map.jumps(), 2U);
}

TEST(FramePaceTest, RateAndJitterAreThoseOfAllFramesThatWereTaken) {
  capture::FramePace pace;
  EXPECT_EQ(pace.latest().rate, 0);
  pace.see(5, 3);
  EXPECT_EQ(pace.latest().rate, 0) << "one time is no interval";
  // Intervals are 8 and 12 ms in turn.
  double time = 5;
  for (int pair = 0; pair < 20; ++pair) {
    pace.see(time += 0.008, 0);
    pace.see(time += 0.012, 0);
  }
  EXPECT_NEAR(pace.latest().rate, 100, 1e-6);
  EXPECT_NEAR(pace.latest().jitter, 0.002, 1e-9);
  pace.interrupt();
  time += 30;
  pace.see(time, 7);
  EXPECT_NEAR(pace.overall().rate, 100, 1e-6) << "no frame was taken while it was away";
  // The camera takes 200 frames per second, and every fourth frame arrives.
  for (int frame = 0; frame < 200; ++frame) pace.see(time += 0.02, 3);
  EXPECT_NEAR(pace.latest().rate, 200, 1e-6);
  EXPECT_NEAR(pace.latest().jitter, 0, 1e-6);
  EXPECT_NEAR(pace.overall().rate, (40 + 800) / (0.4 + 4), 1e-6);
  for (int frame = 0; frame < 3; ++frame) pace.see(time += 1, 0);
  EXPECT_NEAR(pace.latest().rate, 1, 1e-6) << "what was two seconds ago is forgotten";
}

TEST(ClockMapOptions, SetWhatCountsAsAJump) {
  const auto jumpsAfter = [](double step, const capture::ClockMapOptions& options) {
    capture::ClockMap map(options);
    map.toHost(10, 100);
    map.toHost(10.02 + step, 100.02);
    return map.jumps();
  };
  EXPECT_EQ(jumpsAfter(0.9, {}), 0U);
  EXPECT_EQ(jumpsAfter(1.1, {}), 1U);
  EXPECT_EQ(jumpsAfter(1.1, {.jump = 2}), 0U);
}

}  // namespace
}  // namespace glint
