// Compares the eye of the 3D view with a pinhole camera.
#include "app/shell/desk/orbit.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace glint {
namespace {

using Eigen::Vector3d;

constexpr double kWidth = 800, kHeight = 500;

shell::Orbit placed(const Vector3d& up = Vector3d::UnitZ()) {
  shell::Orbit orbit(up);
  orbit.place(kWidth, kHeight);
  return orbit;
}

TEST(Orbit, TheTargetIsInTheMiddle) {
  for (const Vector3d& up : {Vector3d(0, 0, 1), Vector3d(0, -1, 0), Vector3d(1, 0, 0)}) {
    shell::Orbit orbit = placed(up);
    const std::array points{Vector3d(100, 200, 300), Vector3d(700, -800, 900)};
    orbit.frame(points);
    orbit.turnBy(123, -45);
    const auto seen = orbit.see(orbit.target());
    EXPECT_NEAR(seen.x, kWidth / 2, 1e-9);
    EXPECT_NEAR(seen.y, kHeight / 2, 1e-9);
    EXPECT_NEAR(seen.depth, orbit.distance(), 1e-9);
  }
}

TEST(Orbit, UpIsUpAndSizesFallWithDepth) {
  shell::Orbit orbit = placed(Vector3d(0, -1, 0));
  const Vector3d up(0, -1, 0);
  const auto here = orbit.see(orbit.target()), above = orbit.see(orbit.target() + 100 * up);
  EXPECT_NEAR(above.x, here.x, 1e-9);
  EXPECT_LT(above.y, here.y - 1);
  orbit.turnBy(0, -1e4);                       // The eye is below the floor.
  orbit.turnBy(0, 0.49 * 3.14159265 / 0.008);  // The eye is level with the target.
  const double before = orbit.see(orbit.target()).y - orbit.see(orbit.target() + up).y;
  EXPECT_NEAR(before, orbit.scale(), 1e-6 * before);
  orbit.zoomBy(2);
  EXPECT_NEAR(orbit.see(orbit.target()).y - orbit.see(orbit.target() + up).y, 2 * before, 1e-3);
}

TEST(Orbit, FrameHasAllInSightFromEverywhere) {
  const std::array points{Vector3d(0, 0, 0), Vector3d(4000, 0, 0), Vector3d(0, 3000, 2500)};
  shell::Orbit orbit = placed();
  for (int i = 0; i < 40; ++i) {
    orbit.turnBy(37, i % 2 ? 90 : -70);
    orbit.frame(points);
    double farthest = 0;
    for (const Vector3d& p : points) {
      const auto seen = orbit.see(p);
      EXPECT_GT(seen.depth, orbit.nearest());
      EXPECT_TRUE(seen.x > 0 && seen.x < kWidth && seen.y > 0 && seen.y < kHeight);
      farthest = std::max(farthest, std::abs(seen.x - kWidth / 2) / kWidth +
                                        std::abs(seen.y - kHeight / 2) / kHeight);
    }
    EXPECT_GT(farthest, 0.1);  // The points must not be mere specks, either.
  }
}

TEST(Orbit, WhatIsMovedFollowsTheMouse) {
  shell::Orbit orbit = placed();
  const Vector3d point = orbit.target();
  orbit.moveBy(30, -20);
  const auto seen = orbit.see(point);
  EXPECT_NEAR(seen.x, kWidth / 2 + 30, 1e-6);
  EXPECT_NEAR(seen.y, kHeight / 2 - 20, 1e-6);
}

TEST(Orbit, LinesEndBeforeTheEye) {
  shell::Orbit orbit = placed();
  const Eigen::Matrix<double, 3, 4> m = orbit.matrix();
  const Vector3d forward = m.row(2).head<3>().transpose();
  const Vector3d eye = orbit.target() - orbit.distance() * forward;
  EXPECT_FALSE(orbit.seeLine(eye - 10 * forward, eye - 2000 * forward));
  const Vector3d aside = eye - 100 * forward + Vector3d(50, 0, 0);
  const auto both = orbit.seeLine(aside, orbit.target());
  const auto turned = orbit.seeLine(orbit.target(), aside);
  ASSERT_TRUE(both && turned);
  EXPECT_NEAR(both->first.depth, orbit.nearest(), 1e-6);
  EXPECT_NEAR(both->second.x, kWidth / 2, 1e-6);
  EXPECT_NEAR(turned->second.depth, orbit.nearest(), 1e-6);
  EXPECT_NEAR(turned->second.x, both->first.x, 1e-6);
}

TEST(Orbit, TurnsStayBoundedAndPolesAreNotPassed) {
  shell::Orbit orbit = placed();
  for (int i = 0; i < 1000; ++i) orbit.turnBy(77, 99);
  EXPECT_LE(std::abs(orbit.turn()), 3.15);
  EXPECT_LT(orbit.lift(), 1.571);
  EXPECT_TRUE(orbit.matrix().allFinite());
}

}  // namespace
}  // namespace glint
