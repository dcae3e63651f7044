// Tests that recordings that were started separately are put together by what they saw, or refused.
#include <gtest/gtest.h>

#include "app/motion/sync/clocks.h"
#include "config/error.h"
#include "tests/calibrate/separate.h"

namespace glint {
namespace {

using test::Separate;

constexpr double kMillisecond = 1e-3;

/// Cameras of unequal rates, whose clocks differ by up to 180 millionths.
Separate phones() {
  return {.cameras = {{.rate = 60, .begin = 21.37, .drift = 0},
                      {.rate = 60000.0 / 1001, .begin = 0, .drift = 100e-6, .seconds = 70},
                      {.rate = 50, .begin = 33.3333, .drift = -80e-6},
                      {.rate = 60, .begin = 12.0071, .drift = 30e-6, .seconds = 80}}};
}

std::vector<motion::CameraClock> clocksOf(const test::SeparateRecording& recording, bool rig) {
  return motion::findClocks(recording.table, recording.sizes, rig ? &recording.truth : nullptr, {});
}

TEST(FindClocks, OfAWandWithoutARig) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    Separate separate = phones();
    separate.seed = seed;
    const auto clocks = clocksOf(test::recordSeparately(separate), false);
    EXPECT_LT(test::clockError(separate, clocks), 0.15 * kMillisecond) << seed;
    EXPECT_EQ(clocks[1].offset, 0) << "it began first";
    for (const motion::CameraClock& clock : clocks) EXPECT_LT(clock.sigma, 0.05 * kMillisecond);
  }
}

TEST(FindClocks, OfAWandWithARig) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    Separate separate = phones();
    separate.seed = seed;
    const auto clocks = clocksOf(test::recordSeparately(separate), true);
    EXPECT_LT(test::clockError(separate, clocks), 0.06 * kMillisecond) << seed;
  }
}

TEST(FindClocks, OfASingleLightWithoutARig) {
  Separate separate = phones();
  separate.lights = 1;
  const auto clocks = clocksOf(test::recordSeparately(separate), false);
  EXPECT_LT(test::clockError(separate, clocks), 0.15 * kMillisecond);
}

TEST(FindClocks, OfManyLightsWithARig) {
  Separate separate = phones();
  separate.lights = 12;
  const auto clocks = clocksOf(test::recordSeparately(separate), true);
  EXPECT_LT(test::clockError(separate, clocks), 0.03 * kMillisecond);
}

TEST(FindClocks, OfRecordingsMinutesApart) {
  Separate separate{.cameras = {{.rate = 60, .begin = 0, .seconds = 300},
                                {.rate = 60, .begin = 240.0123, .drift = 100e-6, .seconds = 90}}};
  const auto clocks = clocksOf(test::recordSeparately(separate), false);
  EXPECT_LT(test::clockError(separate, clocks), 0.15 * kMillisecond);
}

TEST(FindClocks, OfARateThatIsCalledWrongly) {
  // The second camera's 59.94 frames per second are taken for 60.
  Separate separate{.cameras = {{.rate = 60, .begin = 5},
                                {.rate = 60, .begin = 0, .drift = 1e-3, .seconds = 70}}};
  const auto clocks = clocksOf(test::recordSeparately(separate), false);
  EXPECT_LT(test::clockError(separate, clocks), 0.15 * kMillisecond);
}

TEST(FindClocks, RefusesWhatDoesNotShowThem) {
  const auto refused = [](const Separate& separate, bool rig) {
    const auto recording = test::recordSeparately(separate);
    try {
      clocksOf(recording, rig);
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  const Separate two{.cameras = {{.rate = 60, .begin = 7.123, .seconds = 30},
                                 {.rate = 60000.0 / 1001, .begin = 0, .seconds = 30}}};
  EXPECT_FALSE(refused(two, false));
  for (const bool rig : {false, true}) {
    Separate apart = two;
    apart.cameras[0].begin = 100;
    EXPECT_TRUE(refused(apart, rig)) << "they have no moment in common, rig " << rig;
    Separate strangers = two;
    strangers.strangers = true;
    EXPECT_TRUE(refused(strangers, rig)) << "different motions, rig " << rig;
    Separate still = two;
    still.still = true;
    EXPECT_TRUE(refused(still, rig)) << "nothing moves, rig " << rig;
    Separate periodic = two;
    periodic.period = 3;
    EXPECT_TRUE(refused(periodic, rig)) << "a motion that repeats, rig " << rig;
  }
}

}  // namespace
}  // namespace glint
