#include "app/motion/calibrate/still_lights.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "app/motion/calibrate/account.h"
#include "app/motion/calibrate/solve.h"
#include "tests/calibrate/waving.h"
#include "tests/geometry/rigs.h"

namespace glint {
namespace {

using test::normalVector;
using test::spaceError;
using test::wave;
using test::Waved;
using test::Waving;

/// Adds two dots that never move to each image, like those of lamps and of other cameras' LEDs.
void addLamps(motion::LightRecording& recording) {
  std::mt19937 random(3);
  for (size_t c = 0; c < recording.sizes.size(); ++c) {
    const double off = 60.0 * static_cast<double>(c);
    for (motion::Moment& moment : recording.moments)
      for (const auto& at : {Eigen::Vector2d(300 + off, 200), Eigen::Vector2d(900, 640 - off)})
        moment.views[c].dots.push_back({at + normalVector(random, 0.1).head<2>(), {0.1, 0.1}});
  }
}

TEST(StillLights, DotsThatStayGoAndThoseThatMoveStay) {
  motion::LightRecording recording = wave({.cameras = 3, .frames = 200, .fps = 25}).recording;
  motion::LightRecording waved = recording;
  EXPECT_TRUE(motion::removeStillLights(waved).empty());
  motion::LightRecording lit = recording;
  addLamps(lit);
  EXPECT_EQ(motion::removeStillLights(lit), (std::vector<size_t>{0, 1, 2}));
  size_t lost = 0, dots = 0;
  for (size_t m = 0; m < recording.moments.size(); ++m)
    for (size_t c = 0; c < 3; ++c) {
      const size_t before = recording.moments[m].views[c].dots.size();
      ASSERT_LE(lit.moments[m].views[c].dots.size(), before);
      lost += before - lit.moments[m].views[c].dots.size();
      dots += before;
    }
  EXPECT_LT(lost, dots / 100);  // A few dots are lost where the wand passes a lamp.
}

TEST(StillLights, ARigIsFoundAmongLamps) {
  const Waving waving{.cameras = 3, .frames = 300, .fps = 30};
  Waved waved = wave(waving);
  addLamps(waved.recording);
  motion::CalibrationOptions options;
  options.target = waving.target;
  const motion::Calibration found = motion::calibrate(waved.recording, options);
  EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
            1.15 * spaceError(waved, waved.truth, waving.sigma).rms);
  const std::string told = motion::accountText(found, waved.recording, options);
  EXPECT_NE(told.find("lights that stand still were left out: of cameras 0, 1, 2\n"),
            std::string::npos)
      << told;
}

}  // namespace
}  // namespace glint
