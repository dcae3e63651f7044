#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/geometry/rigs.h"

namespace glint {
namespace {

const motion::Lens kLens{910, 905, 640, 500, -0.21, 0.08, 0.0012, -0.0007, -0.01};
const motion::Pose kPose{{0.3, -1.7, 0.9}, {120, -340, 2900}};

TEST(Rotation, OfAVectorIsOrthonormalAndComesBack) {
  std::mt19937 random(1);
  for (const double size : {0.0, 1e-7, 1e-3, 1.0, 3.0, 3.14159}) {
    const Eigen::Vector3d vector = size * test::normalVector(random).normalized();
    const Eigen::Matrix3d rotation = motion::rotationOf(vector);
    EXPECT_LT((rotation * rotation.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-12);
    EXPECT_NEAR(rotation.determinant(), 1, 1e-12);
    EXPECT_LT((motion::rodriguesOf(rotation) - vector).norm(), 1e-9) << size;
  }
}

TEST(Rotation, ItsDerivativeIsTheNumericOne) {
  std::mt19937 random(2);
  for (const double size : {0.0, 1e-5, 0.5, 2.0, 3.1, 4.0}) {
    const Eigen::Vector3d vector = size * test::normalVector(random).normalized();
    const Eigen::Vector3d point = test::normalVector(random);
    const Eigen::Matrix3d slope = motion::rotatedByVector(vector, point);
    constexpr double kStep = 1e-6;
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector3d step = kStep * Eigen::Vector3d::Unit(i);
      const Eigen::Vector3d numeric =
          (motion::rotationOf(vector + step) * point - motion::rotationOf(vector - step) * point) /
          (2 * kStep);
      EXPECT_LT((slope.col(i) - numeric).norm(), 1e-8) << size << " " << i;
    }
  }
}

TEST(Camera, AKnownPointIsSeenWhereTheFormulaSays) {
  // Worked out by hand: a = 0.1, b = -0.2 and s = a^2 + b^2 = 0.05.
  const motion::Lens lens{1000, 900, 640, 512, -0.2, 0.1, 0.001, 0.002, 0.3};
  const double radial = 1 - 0.2 * 0.05 + 0.1 * 0.0025 + 0.3 * 0.000125;
  const motion::Projection seen = motion::project(lens, {}, {100, -200, 1000});
  EXPECT_NEAR(seen.pixel.x(),
              640 + 1000 * (0.1 * radial + 2 * 0.001 * -0.02 + 0.002 * (0.05 + 0.02)), 1e-9);
  EXPECT_NEAR(seen.pixel.y(),
              512 + 900 * (-0.2 * radial + 0.001 * (0.05 + 0.08) + 2 * 0.002 * -0.02), 1e-9);
  EXPECT_DOUBLE_EQ(seen.depth, 1000);
}

TEST(Camera, AFisheyeShowsAnglesAsItsDefinitionSays) {
  // OpenCV's definition, worked out for a point that is 70 degrees off the axis, in a direction 30
  // degrees from x.
  const motion::Lens lens{320, 330, 640, 480, 0.05, -0.01, 0.004, -0.0005, 0, true};
  const double t = 70 * std::numbers::pi / 180, turn = 30 * std::numbers::pi / 180;
  const double bent = t + 0.05 * std::pow(t, 3) - 0.01 * std::pow(t, 5) + 0.004 * std::pow(t, 7) -
                      0.0005 * std::pow(t, 9);
  const motion::Projection seen =
      motion::project(lens, {},
                      {2000 * std::sin(t) * std::cos(turn), 2000 * std::sin(t) * std::sin(turn),
                       2000 * std::cos(t)});
  EXPECT_NEAR(seen.pixel.x(), 640 + 320 * bent * std::cos(turn), 1e-9);
  EXPECT_NEAR(seen.pixel.y(), 480 + 330 * bent * std::sin(turn), 1e-9);
  EXPECT_NEAR(seen.depth, 2000 * std::cos(t), 1e-9);
}

TEST(Camera, AFisheyesDerivativesAndRaysAreRight) {
  std::mt19937 random(5);
  const motion::Lens lens{320, 322, 640, 480, 0.05, -0.01, 0.004, -0.0005, 0, true};
  for (int round = 0; round < 40; ++round) {
    // From the axis out to 75 degrees.
    const double angle = round == 0 ? 0 : 75.0 * round / 39 * std::numbers::pi / 180;
    const double turn = 0.7 * round;
    const Eigen::Vector3d point(1000 * std::sin(angle) * std::cos(turn),
                                1000 * std::sin(angle) * std::sin(turn), 1000 * std::cos(angle));
    motion::ProjectionDerivatives d;
    const motion::Projection seen = motion::project(lens, {}, point, &d);
    for (int i = 0; i < motion::Lens::kNumbers - 1; ++i) {
      constexpr double kStep = 1e-4;
      const auto at = [&](double step) {
        motion::Lens::Numbers n = lens.numbers();
        n[i] += step;
        return motion::project(motion::Lens::of(n, true), {}, point).pixel;
      };
      const Eigen::Vector2d numeric = (at(kStep) - at(-kStep)) / (2 * kStep);
      EXPECT_LT((d.lens.col(i) - numeric).norm(), 1e-5 * (1 + numeric.norm())) << i;
    }
    for (int i = 0; i < 3; ++i) {
      constexpr double kStep = 1e-2;
      const Eigen::Vector3d step = kStep * Eigen::Vector3d::Unit(i);
      const Eigen::Vector2d numeric = (motion::project(lens, {}, point + step).pixel -
                                       motion::project(lens, {}, point - step).pixel) /
                                      (2 * kStep);
      EXPECT_LT((d.point.col(i) - numeric).norm(), 1e-5) << i << " " << round;
    }
    const auto back = motion::undistort(lens, seen.pixel);
    ASSERT_TRUE(back) << round;
    EXPECT_LT((*back - point.head<2>() / point.z()).norm(), 1e-8 * (1 + back->squaredNorm()));
  }
  // Things beside or behind the camera have no place on a plane in front of it.
  EXPECT_FALSE(motion::undistort(lens, {640 + 320 * 1.8, 480}));
  EXPECT_TRUE(motion::isOneToOne(lens, 1280, 960));
  EXPECT_FALSE(motion::isOneToOne({320, 320, 640, 480, -0.3, 0, 0, 0, 0, true}, 1280, 960));
}

/// Returns the derivative of the pixel with respect to one number, by central differences.
template <class Change>
Eigen::Vector2d slopeOf(double step, const Change& pixelAt) {
  return (pixelAt(step) - pixelAt(-step)) / (2 * step);
}

TEST(Camera, ItsDerivativesAreTheNumericOnes) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const Eigen::Vector3d point = test::normalVector(random, 400);
    motion::ProjectionDerivatives d;
    const motion::Projection seen = motion::project(kLens, kPose, point, &d);
    ASSERT_GT(seen.depth, 0);
    for (int i = 0; i < motion::Lens::kNumbers; ++i) {
      const auto numeric = slopeOf(i < 4 ? 1e-3 : 1e-6, [&](double step) {
        motion::Lens::Numbers n = kLens.numbers();
        n[i] += step;
        return motion::project(motion::Lens::of(n), kPose, point).pixel;
      });
      EXPECT_LT((d.lens.col(i) - numeric).norm(), 1e-5 * (1 + numeric.norm())) << i;
    }
    for (int i = 0; i < 6; ++i) {
      const auto numeric = slopeOf(i < 3 ? 1e-6 : 1e-3, [&](double step) {
        motion::Pose pose = kPose;
        (i < 3 ? pose.rotation[i] : pose.translation[i - 3]) += step;
        return motion::project(kLens, pose, point).pixel;
      });
      EXPECT_LT((d.pose.col(i) - numeric).norm(), 1e-5 * (1 + numeric.norm())) << i;
    }
    for (int i = 0; i < 3; ++i) {
      const auto numeric = slopeOf(1e-3, [&](double step) {
        return motion::project(kLens, kPose, point + step * Eigen::Vector3d::Unit(i)).pixel;
      });
      EXPECT_LT((d.point.col(i) - numeric).norm(), 1e-6) << i;
    }
  }
}

TEST(Camera, ARayRunsThroughWhatIsSeen) {
  const motion::RigCamera camera{"a", 1280, 1024, kLens, kPose, 0};
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    const Eigen::Vector3d point = test::normalVector(random, 400);
    const auto ray = motion::rayOf(camera, motion::project(kLens, kPose, point).pixel);
    ASSERT_TRUE(ray);
    EXPECT_LT(ray->direction.cross(point - ray->origin).norm(), 1e-6);
    EXPECT_GT(ray->direction.dot(point - ray->origin), 0);
    EXPECT_NEAR(ray->direction.norm(), 1, 1e-12);
  }
}

TEST(Camera, BeyondTheFoldThereIsNoRay) {
  // The image coordinate a (1 - a^2) has its maximum, 0.385, at a = 1 / sqrt 3.
  const motion::Lens folding{1000, 1000, 0, 0, -1};
  EXPECT_TRUE(motion::undistort(folding, {384, 0}));
  EXPECT_FALSE(motion::undistort(folding, {386, 0}));
  EXPECT_TRUE(motion::isOneToOne({1000, 1000, 300, 200, -1}, 600, 400));
  EXPECT_FALSE(motion::isOneToOne({1000, 1000, 320, 240, -1}, 640, 480));
  EXPECT_TRUE(motion::isOneToOne({1000, 1000, 320, 240, 0.5}, 640, 480));
}

TEST(Pose, ThenAndInverseAreMotions) {
  const Eigen::Vector3d point(10, 20, 30);
  const motion::Pose other{{-0.4, 0.2, 2.0}, {5, 6, 7}};
  EXPECT_LT((motion::then(kPose, other).apply(point) - other.apply(kPose.apply(point))).norm(),
            1e-9);
  EXPECT_LT((kPose.inverse().apply(kPose.apply(point)) - point).norm(), 1e-9);
  EXPECT_LT(kPose.apply(kPose.centre()).norm(), 1e-9);
}

}  // namespace
}  // namespace glint
