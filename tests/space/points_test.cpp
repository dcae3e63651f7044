// Tests points of single sets against independent definitions. Errors are compared with the
// Cramer-Rao bound, which numeric derivatives give. Stated ellipsoids are checked by counting, and
// correspondence by the true places.
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "app/motion/space/correspond.h"
#include "tests/geometry/rigs.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

// The distance from the truth at which an estimate begins, mm.
const Eigen::Vector3d kBeside(60, -40, 50);

/// Returns the smallest covariance that any unbiased estimate of a point can have (Kay,
/// Fundamentals of Statistical Signal Processing, 3.30), from numeric differences of projections.
/// `sigma` is the noise of each coordinate, px.
Eigen::Matrix3d boundOf(const motion::Rig& rig, const Eigen::Vector3d& at, double sigma) {
  constexpr double kStep = 0.1;  // mm
  Eigen::Matrix3d information = Eigen::Matrix3d::Zero();
  for (const motion::RigCamera& camera : rig.cameras) {
    Eigen::Matrix<double, 2, 3> slope;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d step = kStep * Eigen::Vector3d::Unit(k);
      slope.col(k) = (motion::project(camera.lens, camera.pose, at + step).pixel -
                      motion::project(camera.lens, camera.pose, at - step).pixel) /
                     (2 * kStep);
    }
    information += slope.transpose() * slope / (sigma * sigma);
  }
  return information.inverse();
}

std::vector<motion::Sight> sightsOf(const motion::SpaceRig& rig, const motion::NoiseFloor& floor,
                                    const motion::SpaceSet& set) {
  const motion::DotIndex dots(rig, floor, set);
  std::vector<motion::Sight> sights;
  for (size_t c = 0; c < rig.size(); ++c)
    if (!dots.of(c).empty()) sights.push_back(dots.sight(c, 0));
  return sights;
}

TEST(SpacePoints, ReachTheCramerRaoBound) {
  for (const int cameras : {4, 8}) {
    const motion::Rig rig = ringRig(cameras);
    const motion::SpaceRig space(rig);
    const motion::NoiseFloor floor(space.size());
    std::mt19937 random(3);
    double squares = 0, bound = 0;
    int points = 0;
    for (const Eigen::Vector3d& at : anywhere(6000, random)) {
      const motion::SpaceSet set = viewOf(rig, {at}, {.sigma = 0.3}, random);
      const auto sights = sightsOf(space, floor, set);
      if (sights.size() != space.size()) continue;
      const auto point = motion::estimate(space, sights, at + kBeside);
      ASSERT_TRUE(point);
      squares += (point->at - at).squaredNorm();
      bound += boundOf(rig, at, 0.3).trace();
      ++points;
    }
    ASSERT_GT(points, 1000);
    EXPECT_LT(std::sqrt(squares / bound), 1.03) << cameras << " cameras";
    EXPECT_GT(std::sqrt(squares / bound), 0.97) << cameras << " cameras";
  }
}

/// A count of the points that lie in their 95 % ellipsoids.
class Ellipsoids {
 public:
  void add(const Eigen::Vector3d& off, const Eigen::Matrix3d& covariance) {
    // The 95 % point of chi squared with three degrees of freedom.
    constexpr double kLimit = 7.814728;
    within_ += off.dot(covariance.inverse() * off) < kLimit;
    ++all_;
  }
  double share() const { return within_ / static_cast<double>(all_); }

 private:
  double within_ = 0;
  size_t all_ = 0;
};

TEST(SpacePoints, LieInTheirEllipsoids) {
  const motion::Rig rig = ringRig(4);
  const motion::SpaceRig space(rig);
  const motion::NoiseFloor floor = noFloor(4);
  ASSERT_LT(floor.variance(0), 1e-9);
  std::mt19937 random(4);
  Ellipsoids ellipsoids;
  for (const Eigen::Vector3d& at : anywhere(4000, random)) {
    const auto sights = sightsOf(space, floor, viewOf(rig, {at}, {}, random));
    const auto point = motion::estimate(space, sights, at + kBeside);
    if (!point) continue;
    const motion::StatedCovariance stated = motion::statedCovariance(space, floor, sights, *point);
    EXPECT_EQ(stated.rig.norm(), 0);
    ellipsoids.add(point->at - at, stated.images);
  }
  EXPECT_GT(ellipsoids.share(), 0.93);
  EXPECT_LT(ellipsoids.share(), 0.97);
}

TEST(SpacePoints, LieInTheirEllipsoidsWithTheRigsOwnUncertainty) {
  std::mt19937 random(5);
  const motion::Rig rig = ringRig(4);
  // For each camera fx, k1 and the pose are uncertain, and all of these numbers are correlated.
  const auto size = static_cast<Eigen::Index>(4 * motion::kCameraNumbers);
  Eigen::MatrixXd mix = Eigen::MatrixXd::Zero(size, size);
  const auto fill = [&](int number, double sigma) {
    for (int c = 0; c < 4; ++c) {
      const Eigen::Index row = c * motion::kCameraNumbers + number;
      for (Eigen::Index k = 0; k < size; ++k)
        mix(row, k) = sigma / 8 * std::normal_distribution<double>()(random);
    }
  };
  fill(0, 0.8);
  fill(4, 1e-3);
  for (int k = 9; k < 12; ++k) fill(k, 2e-4);
  for (int k = 12; k < 15; ++k) fill(k, 0.8);
  motion::Rig stated = rig;
  motion::setCovariance(stated, mix * mix.transpose());
  const motion::NoiseFloor floor = noFloor(4);
  Ellipsoids ellipsoids;
  for (int draw = 0; draw < 400; ++draw) {
    // The believed rig differs from the true one by a random error, and its stated covariance is
    // that of this error.
    Eigen::VectorXd normal(size);
    for (double& value : normal) value = std::normal_distribution<double>()(random);
    const Eigen::VectorXd off = mix * normal;
    motion::Rig believed = stated;
    for (int c = 0; c < 4; ++c) {
      motion::RigCamera& camera = believed.cameras[static_cast<size_t>(c)];
      const auto own = off.segment<motion::kCameraNumbers>(c * motion::kCameraNumbers);
      camera.lens = motion::Lens::of(camera.lens.numbers() + own.head<motion::Lens::kNumbers>());
      camera.pose.rotation += own.segment<3>(9);
      camera.pose.translation += own.tail<3>();
    }
    const motion::SpaceRig space(believed);
    for (const Eigen::Vector3d& at : anywhere(10, random)) {
      const auto sights = sightsOf(space, floor, viewOf(rig, {at}, {}, random));
      const auto point = motion::estimate(space, sights, at + kBeside);
      if (!point) continue;
      const motion::StatedCovariance covariance =
          motion::statedCovariance(space, floor, sights, *point);
      EXPECT_GT(covariance.rig.trace(), 0.1);
      ellipsoids.add(point->at - at, covariance.images + covariance.rig);
    }
  }
  EXPECT_GT(ellipsoids.share(), 0.93);
  EXPECT_LT(ellipsoids.share(), 0.97);
}

/// A scene of sets with 50 markers anywhere. 10 % of the dots are missing. The cameras' poses are
/// wrong by `degrees` and `mm`, and the noise floor learns from set to set.
struct Crowd {
  int cameras = 4, sets = 40;
  bool twoRays = false;
  double degrees = 0, mm = 0;
};
Agreement crowd(const Crowd& of, size_t* wantedCount) {
  std::mt19937 random(6);
  const motion::Rig truth = ringRig(of.cameras);
  const motion::SpaceRig space(disturbed(truth, of.degrees, of.mm, random));
  motion::NoiseFloor floor(space.size());
  Agreement sum;
  for (int s = 0; s < of.sets; ++s) {
    const Places markers = anywhere(50, random);
    std::vector<int> counts;
    const motion::SpaceSet set = viewOf(truth, markers, {.unseen = 0.1}, random, &counts);
    motion::DotIndex dots(space, floor, set);
    Places found;
    for (const motion::RayGroup& group : motion::correspond(space, dots, {.twoRays = of.twoRays})) {
      found.push_back(group.estimate.at);
      motion::teach(floor, space, group.sights, group.estimate);
    }
    floor.learn();
    std::vector<bool> wanted;
    for (const int count : counts) wanted.push_back(count >= 3);
    for (const bool is : wanted) *wantedCount += is;
    const Agreement one = agreement(found, markers, wanted);
    sum.right += one.right;
    sum.ghosts += one.ghosts;
    sum.missed += one.missed;
  }
  return sum;
}

TEST(SpacePoints, OfACrowdAreAllFoundWithoutGhosts) {
  for (const auto& [degrees, mm] : {std::pair(0.0, 0.0), std::pair(0.02, 1.0)}) {
    size_t wanted = 0;
    const Agreement three = crowd({.degrees = degrees, .mm = mm}, &wanted);
    EXPECT_EQ(three.ghosts, 0u) << degrees;
    EXPECT_LE(static_cast<double>(three.missed), 0.001 * static_cast<double>(wanted)) << degrees;
    const Agreement two = crowd({.twoRays = true, .degrees = degrees, .mm = mm}, &wanted);
    EXPECT_LE(static_cast<double>(two.ghosts), 0.002 * static_cast<double>(two.right)) << degrees;
    EXPECT_GT(two.right, three.right);
  }
}

TEST(SpacePoints, OfManyCamerasNoneIsMissedThoughFewPairsOfRaysAreTried) {
  std::mt19937 random(8);
  const motion::Rig rig = ringRig(16);
  const motion::SpaceRig space(rig);
  const motion::NoiseFloor floor(space.size());  // The floor is that of the first set of a run.
  const Places markers = anywhere(200, random);
  std::vector<int> counts;
  motion::DotIndex dots(space, floor, viewOf(rig, markers, {.unseen = 0.1}, random, &counts));
  Places found;
  for (const motion::RayGroup& group : motion::correspond(space, dots, {}))
    found.push_back(group.estimate.at);
  std::vector<bool> wanted;
  for (const int count : counts) wanted.push_back(count >= 3);
  const Agreement all = agreement(found, markers, wanted);
  EXPECT_EQ(all.missed, 0u);
  EXPECT_LE(all.ghosts, 1u);
}

TEST(RayPairs, AreThoseOfFreeDotsAndTellHowManyThereAre) {
  std::mt19937 random(9);
  const motion::Rig rig = ringRig(8);
  const motion::SpaceRig space(rig);
  const motion::NoiseFloor floor(space.size());
  motion::DotIndex dots(space, floor, viewOf(rig, anywhere(100, random), {}, random));
  const auto findAll = [&](motion::RayPairs& finder, const auto& after) {
    std::vector<motion::RayPair> pairs;
    for (size_t a = 0; a < space.size(); ++a)
      for (size_t b = a + 1; b < space.size(); ++b) {
        finder.find(a, b, pairs);
        after(a, b);
      }
    return pairs;
  };
  motion::RayPairs every(space, dots, motion::CorrespondOptions().gate);
  EXPECT_EQ(every.expected(), 0);
  const auto all = findAll(every, [](size_t, size_t) {});
  EXPECT_EQ(every.expected(), static_cast<double>(all.size()));

  // After the first two cameras have been paired, nine in ten dots are marked as used.
  motion::RayPairs some(space, dots, motion::CorrespondOptions().gate);
  const auto left = findAll(some, [&](size_t a, size_t b) {
    for (size_t c = 0; a == 0 && b == 1 && c < space.size(); ++c)
      for (size_t i = 0; i < dots.of(c).size(); ++i) dots.of(c)[i].used = i % 10 != 0;
  });
  EXPECT_LT(some.tested(), every.tested() / 10);
  EXPECT_NEAR(some.expected(), every.expected(), 0.2 * every.expected());
  const auto isFree = [&](const motion::RayPair& pair) {
    return !dots.of(pair.cameraA)[pair.a].used && !dots.of(pair.cameraB)[pair.b].used;
  };
  const auto later = [](const motion::RayPair& pair) { return pair.cameraB > 1; };
  size_t expected = 0, found = 0;
  for (const motion::RayPair& pair : all) expected += later(pair) && isFree(pair);
  for (const motion::RayPair& pair : left) {
    if (!later(pair)) continue;
    EXPECT_TRUE(isFree(pair));
    ++found;
  }
  EXPECT_EQ(found, expected);
}

TEST(SpacePoints, TheFloorLearnsWhatThePosesAreOff) {
  std::mt19937 random(7);
  const motion::Rig truth = ringRig(4);
  for (const double degrees : {0.0, 0.02, 0.05}) {
    const motion::SpaceRig space(disturbed(truth, degrees, 0, random));
    motion::NoiseFloor floor(4);
    for (int s = 0; s < 60; ++s) {
      motion::DotIndex dots(space, floor, viewOf(truth, anywhere(20, random), {}, random));
      for (const motion::RayGroup& group : motion::correspond(space, dots, {}))
        motion::teach(floor, space, group.sights, group.estimate);
      floor.learn();
    }
    for (size_t c = 0; c < 4; ++c) {
      EXPECT_TRUE(floor.learned(c));
      // A turn of 0.02 degrees about any axis shifts dots by 0.35 px or less. The points absorb a
      // part of that.
      EXPECT_LT(std::sqrt(floor.variance(c)), 0.04 + 20 * degrees) << degrees;
    }
    const double least = degrees > 0.03 ? 0.05 : 0;
    EXPECT_GE(std::sqrt(floor.variance(0)), least);
  }
}

}  // namespace
}  // namespace glint::test
