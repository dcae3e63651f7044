// Tests that a lens which only a fisheye model describes does not get a good grade as another lens.
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "app/motion/calibrate/account.h"
#include "app/motion/calibrate/solve.h"
#include "tests/geometry/rigs.h"

namespace glint {
namespace {

/// Returns the pixel of a point in the camera's frame, by the definition of OpenCV's fisheye model:
/// with the angle t from the axis, the distance from the centre is f (t + k1 t^3 + k2 t^5).
Eigen::Vector2d fisheyePixel(const Eigen::Vector3d& seen, double f, double k1, double k2) {
  const double across = seen.head<2>().norm(), t = std::atan2(across, seen.z());
  const double radius = f * (t + k1 * std::pow(t, 3) + k2 * std::pow(t, 5));
  return Eigen::Vector2d(639.5, 479.5) + seen.head<2>() / across * radius;
}

/// A wand of 500 mm in a room, seen by four fisheye cameras. `degrees` is the angle between what
/// the left and the right border of an image show.
motion::LightRecording fisheyeWand(double degrees, unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const double f = 640 / (degrees / 2 * std::numbers::pi / 180), k1 = between(-0.03, 0.03),
               k2 = between(-0.005, 0.005);
  motion::Rig rig = test::ringRig(4);
  motion::LightRecording recording;
  recording.timed = recording.sigmasKnown = true;
  // Lights come near to the cameras, so that they fill the images.
  constexpr double reach = 2600;
  std::vector<std::array<double, 4>> swings(5);
  for (auto& s : swings) s = {between(0.15, 0.5), between(0, 6), between(0.15, 0.5), between(0, 6)};
  const auto wander = [&](size_t n, double time) {
    const auto& s = swings[n];
    return (std::sin(6.28 * s[0] * time + s[1]) + std::sin(6.28 * s[2] * time + s[3])) / 2;
  };
  for (int c = 0; c < 4; ++c) recording.sizes.push_back({1280, 960});
  for (int m = 0; m < 700; ++m) {
    motion::Moment& moment = recording.moments.emplace_back();
    moment.time = m / 30.0;
    moment.views.resize(4);
    const Eigen::Vector3d middle(reach * wander(0, moment.time), reach * wander(1, moment.time),
                                 reach * wander(2, moment.time));
    const double around = 4 * wander(3, moment.time), up = 2 * wander(4, moment.time);
    const Eigen::Vector3d along(std::cos(around) * std::cos(up), std::sin(around) * std::cos(up),
                                std::sin(up));
    for (size_t c = 0; c < 4; ++c)
      for (const double end : {-250.0, 250.0}) {
        const Eigen::Vector3d seen = rig.cameras[c].pose.apply(middle + end * along);
        if (std::atan2(seen.head<2>().norm(), seen.z()) > 0.5 * degrees * std::numbers::pi / 180)
          continue;
        const Eigen::Vector2d at =
            fisheyePixel(seen, f, k1, k2) + test::normalVector(random, 0.1).head<2>();
        if (at.x() >= 0 && at.x() <= 1279 && at.y() >= 0 && at.y() <= 959)
          moment.views[c].dots.push_back({at, {0.1, 0.1}});
      }
  }
  return recording;
}

TEST(Fisheye, IsNoGoodPinholeCameraIfItsEdgesAreSeen) {
  // Without a rule for such lenses, both were "good". A lens of 110 degrees, which follows k1 and
  // k2 to 0.15 px where lights are seen, may be called good.
  for (const auto& [degrees, terms, seed] : {std::tuple(130.0, motion::LensTerms::full, 2U),
                                             std::tuple(150.0, motion::LensTerms::full, 2U)}) {
    motion::CalibrationOptions options;
    options.target = motion::parseWand("500");
    options.terms = terms;
    const auto found = motion::calibrate(fisheyeWand(degrees, seed), options);
    const auto grade = motion::gradeOf(found, options.target);
    EXPECT_TRUE(grade.word == "poor" || grade.word == "fair")
        << degrees << " degrees: " << grade.word << ", " << grade.because;
  }
}

}  // namespace
}  // namespace glint
