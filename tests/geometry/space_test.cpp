#include <cmath>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "app/motion/geometry/align.h"
#include "app/motion/geometry/triangulate.h"
#include "config/error.h"
#include "tests/geometry/rigs.h"

namespace glint {
namespace {

/// Returns where the cameras of the rig see `point`, with normal noise of `sigma` px.
std::vector<motion::Sighting> sightings(const motion::Rig& rig, const Eigen::Vector3d& point,
                                        double sigma, std::mt19937& random) {
  std::vector<motion::Sighting> all;
  for (size_t c = 0; c < rig.cameras.size(); ++c) {
    const Eigen::Vector2d pixel =
        motion::project(rig.cameras[c].lens, rig.cameras[c].pose, point).pixel;
    const Eigen::Vector2d noise = test::normalVector(random, sigma).head<2>();
    all.push_back({c, pixel + noise, Eigen::Vector2d::Constant(sigma > 0 ? sigma : 1)});
  }
  return all;
}

// Checks a sum of squared Mahalanobis distances of 3 numbers: each is chi-squared with mean 3 and
// variance 6.
void expectThree(double sum, int rounds) {
  EXPECT_NEAR(sum / rounds, 3, 4 * std::sqrt(6.0 / rounds));
}

TEST(Triangulate, WithoutNoiseGivesThePoint) {
  std::mt19937 random(1);
  const motion::Rig rig = test::ringRig(4);
  const Eigen::Vector3d point(150, -320, 90);
  const auto found = motion::triangulate(rig, sightings(rig, point, 0, random));
  ASSERT_TRUE(found);
  EXPECT_LT((found->at - point).norm(), 1e-6);
  EXPECT_NEAR(found->chi2, 0, 1e-9);
}

TEST(Triangulate, ItsCovarianceIsThatOfItsErrors) {
  std::mt19937 random(2);
  const motion::Rig rig = test::ringRig(3);
  constexpr int kRounds = 4000;
  double squares = 0, chi2 = 0;
  for (int i = 0; i < kRounds; ++i) {
    const Eigen::Vector3d point = test::normalVector(random, 300);
    const auto found = motion::triangulate(rig, sightings(rig, point, 0.3, random));
    ASSERT_TRUE(found);
    const Eigen::Vector3d error = found->at - point;
    squares += error.dot(found->covariance.inverse() * error);
    chi2 += found->chi2;
  }
  expectThree(squares, kRounds);
  expectThree(chi2, kRounds);  // Three rays give 2 * 3 numbers for 3 unknowns, so 3 are free.
}

TEST(Triangulate, WithTheRigsCovarianceItIsThatOfItsErrors) {
  std::mt19937 random(3);
  const motion::Rig truth = test::ringRig(3);
  Eigen::MatrixXd full =
      Eigen::MatrixXd::Zero(3 * motion::kCameraNumbers, 3 * motion::kCameraNumbers);
  for (int c = 0; c < 3; ++c) {
    full(c * motion::kCameraNumbers, c * motion::kCameraNumbers) = 4;  // The sigma of fx is 2 px.
    // The sigma of cy is 1 px.
    full(c * motion::kCameraNumbers + 3, c * motion::kCameraNumbers + 3) = 1;
    full(c * motion::kCameraNumbers + 10, c * motion::kCameraNumbers + 10) = 1e-6;
    full(c * motion::kCameraNumbers + 14, c * motion::kCameraNumbers + 14) = 2;
  }
  constexpr int kRounds = 3000;
  std::normal_distribution<double> normal;
  double squares = 0;
  for (int i = 0; i < kRounds; ++i) {
    const Eigen::Vector3d point = test::normalVector(random, 300);
    const auto seen = sightings(truth, point, 0.3, random);
    motion::Rig rig = truth;
    for (motion::RigCamera& camera : rig.cameras) {
      camera.lens.fx += 2 * normal(random);
      camera.lens.cy += normal(random);
      camera.pose.rotation.y() += 1e-3 * normal(random);
      camera.pose.translation.z() += std::sqrt(2.0) * normal(random);
    }
    const auto found = motion::triangulate(rig, seen);
    ASSERT_TRUE(found);
    const Eigen::Vector3d error = found->at - point;
    const auto slope = motion::byRig(rig, seen, *found);
    const Eigen::Matrix3d stated = found->covariance + slope * full * slope.transpose();
    squares += error.dot(stated.inverse() * error);
  }
  expectThree(squares, kRounds);
}

TEST(Triangulate, WhatHasNoPointIsRefused) {
  std::mt19937 random(4);
  const motion::Rig rig = test::ringRig(2);
  auto seen = sightings(rig, {0, 0, 0}, 0, random);
  EXPECT_FALSE(motion::triangulate(rig, std::vector<motion::Sighting>{seen[0]}));
  EXPECT_FALSE(
      // Both rays are the same one.
      motion::triangulate(rig, std::vector<motion::Sighting>{seen[0], seen[0]}));
  motion::Rig same = rig;
  same.cameras[1] = same.cameras[0];
  // The cameras stand side by side, and their rays meet behind both.
  same.cameras[1].pose.translation.x() += 100;
  const Eigen::Vector2d left(700, 500), right(600, 500);
  EXPECT_FALSE(motion::triangulate(
      same, std::vector<motion::Sighting>{{0, left, {1, 1}}, {1, right, {1, 1}}}));
}

TEST(Align, ComesBackFromAMotion) {
  std::mt19937 random(5);
  const motion::Pose motion{{0.4, 2.2, -1.1}, {300, -20, 7}};
  std::vector<Eigen::Vector3d> from, to;
  for (int i = 0; i < 4; ++i) {
    from.push_back(test::normalVector(random, 100));
    to.push_back(motion.apply(from.back()));
  }
  const auto rigid = motion::alignRigid(from, to);
  ASSERT_TRUE(rigid);
  EXPECT_LT((rigid->motion.rotation - motion.rotation).norm(), 1e-9);
  EXPECT_LT((rigid->motion.translation - motion.translation).norm(), 1e-9);
  EXPECT_NEAR(rigid->rms, 0, 1e-9);
}

TEST(Align, DoesNotMirror) {
  const std::vector<Eigen::Vector3d> from{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<Eigen::Vector3d> to = from;
  for (Eigen::Vector3d& p : to) p.z() = -p.z();
  const auto found = motion::alignRigid(from, to);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->motion.matrix().determinant(), 1, 1e-12);
  EXPECT_GT(found->rms, 0.1);
}

TEST(Align, WeightsBySigmaAndStatesItsCovariance) {
  std::mt19937 random(6);
  const motion::Pose motion{{0.1, 0.2, 0.3}, {1, 2, 3}};
  const std::vector<Eigen::Vector3d> from{{0, 0, 0}, {200, 0, 0}, {0, 150, 0}, {50, 50, 90}};
  const std::vector<double> sigmas{0.1, 0.2, 0.5, 0.3};
  std::vector<Eigen::Vector3d> exact, to(4);
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double total = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    exact.push_back(motion.apply(from[i]));
    centre += exact[i] / (sigmas[i] * sigmas[i]);
    total += 1 / (sigmas[i] * sigmas[i]);
  }
  centre /= total;
  constexpr int kRounds = 3000;
  double squares = 0;
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < to.size(); ++i) to[i] = exact[i] + test::normalVector(random, sigmas[i]);
    const auto found = motion::alignRigid(from, to, sigmas);
    ASSERT_TRUE(found);
    Eigen::Matrix<double, 6, 1> error;
    error << motion::rodriguesOf(found->motion.matrix() * motion.matrix().transpose()),
        found->motion.apply(motion.inverse().apply(centre)) - centre;
    squares += error.dot(found->covariance.inverse() * error);
  }
  EXPECT_NEAR(squares / kRounds, 6, 4 * std::sqrt(12.0 / kRounds));
}

TEST(Align, WhatHasNoMotionIsRefused) {
  const std::vector<Eigen::Vector3d> line{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  EXPECT_FALSE(motion::alignRigid(line, line));
  EXPECT_FALSE(motion::alignRigid(std::span(line).first(2), std::span(line).first(2)));
  EXPECT_THROW(motion::alignRigid(line, std::span(line).first(2)), std::invalid_argument);
}

TEST(Rig, AMovedRigSeesTheMovedWorldTheSame) {
  const motion::Rig rig = test::ringRig(3);
  const motion::Pose motion{{0.7, -0.2, 1.9}, {100, 200, 300}};
  const motion::Rig after = motion::moved(rig, motion, 1.7);
  const Eigen::Vector3d point(120, -80, 60);
  for (size_t c = 0; c < 3; ++c) {
    const auto before = motion::project(rig.cameras[c].lens, rig.cameras[c].pose, point);
    const auto now =
        motion::project(after.cameras[c].lens, after.cameras[c].pose, 1.7 * motion.apply(point));
    EXPECT_LT((before.pixel - now.pixel).norm(), 1e-8);
    EXPECT_NEAR(now.depth, 1.7 * before.depth, 1e-8);
  }
}

TEST(Rig, ItsCovarianceMovesWithIt) {
  std::mt19937 random(7);
  motion::Rig rig = test::ringRig(2);
  constexpr Eigen::Index kSize = 2 * motion::kCameraNumbers;
  const Eigen::MatrixXd mixing = Eigen::MatrixXd::NullaryExpr(
      kSize, kSize, [&] { return std::normal_distribution<double>(0, 1e-3)(random); });
  const Eigen::MatrixXd full = mixing * mixing.transpose();
  motion::setCovariance(rig, full);
  EXPECT_EQ(rig.covariance.names.size(), size_t{kSize});
  EXPECT_EQ(rig.covariance.names[motion::kCameraNumbers + 9], "cam_1.rotation_x");
  EXPECT_LT((motion::fullCovariance(rig) - full).norm(), 1e-15);

  // The derivatives of moved() by numeric differences must be the same.
  const motion::Pose motion{{0.7, -0.2, 1.9}, {100, 200, 300}};
  const auto numbersOf = [&](const motion::Rig& of) {
    Eigen::VectorXd all(kSize);
    for (size_t c = 0; c < 2; ++c)
      all.segment<motion::kCameraNumbers>(static_cast<Eigen::Index>(c) * motion::kCameraNumbers)
          << of.cameras[c].lens.numbers(),
          of.cameras[c].pose.rotation, of.cameras[c].pose.translation;
    return all;
  };
  Eigen::MatrixXd by(kSize, kSize);
  constexpr double kStep = 1e-6;
  for (Eigen::Index i = 0; i < kSize; ++i) {
    const auto changed = [&](double step) {
      motion::Rig other = rig;
      other.covariance = {};
      motion::RigCamera& camera = other.cameras[static_cast<size_t>(i / motion::kCameraNumbers)];
      const Eigen::Index at = i % motion::kCameraNumbers;
      motion::Lens::Numbers lens = camera.lens.numbers();
      if (at < motion::Lens::kNumbers)
        lens[at] += step;
      else if (at < motion::Lens::kNumbers + 3)
        camera.pose.rotation[at - motion::Lens::kNumbers] += step;
      else
        camera.pose.translation[at - motion::Lens::kNumbers - 3] += step;
      camera.lens = motion::Lens::of(lens);
      return numbersOf(motion::moved(other, motion, 1.7));
    };
    by.col(i) = (changed(kStep) - changed(-kStep)) / (2 * kStep);
  }
  const Eigen::MatrixXd expected = by * full * by.transpose();
  EXPECT_LT((motion::fullCovariance(motion::moved(rig, motion, 1.7)) - expected).norm(),
            1e-6 * expected.norm());
}

TEST(Rig, ANameThatNoCameraHasIsRefused) {
  motion::Rig rig = test::ringRig(2);
  rig.covariance = {{"cam_2.fx"}, Eigen::MatrixXd::Identity(1, 1)};
  EXPECT_THROW(motion::fullCovariance(rig), Error);
}

}  // namespace
}  // namespace glint
