// Tests rigid bodies in single sets against independent definitions. Errors are compared with the
// Cramer-Rao bound, which numeric derivatives give. Stated covariances are checked by counting, and
// the search by the true poses.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "app/motion/geometry/rotation.h"
#include "app/motion/space/body_doubts.h"
#include "app/motion/space/body_fit.h"
#include "app/motion/space/body_search.h"
#include "app/motion/space/dot_index.h"
#include "tests/geometry/rigs.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Returns the places of the markers after a small change of the pose. `by` holds a shift (mm) of
/// the markers' mean and a turn about it (rotation vector, rad).
Places changed(const motion::Body& body, const BodyPose& pose, const Vector6& by) {
  const Eigen::Vector3d mean = pose * body.centre();
  Places places;
  for (const Eigen::Vector3d& at : placesOf(body, pose))
    places.push_back(motion::rotationOf(by.tail<3>()) * (at - mean) + mean + by.head<3>());
  return places;
}

/// Returns the Cramer-Rao bound of a pose: boundOf() of points_test.cpp, but for shift and turn
/// together, from numeric differences of the projections of all markers. `sigma` is the noise of
/// each coordinate, px.
motion::Matrix6 poseBound(const motion::Rig& rig, const motion::Body& body, const BodyPose& pose,
                          double sigma) {
  motion::Matrix6 information = motion::Matrix6::Zero();
  for (const motion::RigCamera& camera : rig.cameras)
    for (size_t m = 0; m < body.markers.size(); ++m) {
      Eigen::Matrix<double, 2, 6> slope;
      for (int k = 0; k < 6; ++k) {
        const double step = k < 3 ? 0.1 : 1e-3;
        const Vector6 by = step * Vector6::Unit(k);
        slope.col(k) =
            (motion::project(camera.lens, camera.pose, changed(body, pose, by)[m]).pixel -
             motion::project(camera.lens, camera.pose, changed(body, pose, -by)[m]).pixel) /
            (2 * step);
      }
      information += slope.transpose() * slope / (sigma * sigma);
    }
  return information.inverse();
}

/// The sums over `count` fitted poses: squared errors of the place (mm^2) and of the turn (rad^2),
/// the Cramer-Rao bounds of both, and the number of poses within their stated 95 % region.
struct Figures {
  double squares = 0, turns = 0, placeBound = 0, turnBound = 0;
  int within = 0, count = 0;
};

/// Fits random poses that all cameras see, each from a start beside the truth, and sums up their
/// errors and bounds. The cameras see the markers as `truth` has it; the fits assume each rig of
/// `believed`, `tries` times.
Figures poses(const motion::Rig& truth, const std::vector<motion::Rig>& believed, int tries,
              std::mt19937& random) {
  const motion::Body body = fourMarkers();
  const motion::CentredBody centred(body);
  const motion::NoiseFloor floor = noFloor(truth.cameras.size());
  Figures sum;
  for (const motion::Rig& rig : believed) {
    const motion::SpaceRig space(rig);
    for (int i = 0; i < tries; ++i) {
      const BodyPose pose = anyPose(random);
      std::vector<motion::BodySight> sights;
      for (size_t m = 0; m < body.markers.size(); ++m) {
        const motion::DotIndex dots(space, floor,
                                    viewOf(truth, {placesOf(body, pose)[m]}, {}, random));
        for (size_t c = 0; c < space.size(); ++c)
          if (!dots.of(c).empty()) sights.push_back({m, dots.sight(c, 0)});
      }
      if (sights.size() < space.size() * body.markers.size()) continue;
      const Eigen::Vector3d mean = pose * body.centre();
      motion::BodyPlace start;
      start.rotation = motion::rotationOf({0.3, -0.2, 0.1}) * pose.rotation;
      start.centre = mean + Eigen::Vector3d(30, -20, 10);
      const auto fit = motion::fitBody(space, centred, sights, start);
      if (!fit) {
        ADD_FAILURE() << "no fit";
        continue;
      }
      Vector6 off;
      off << fit->place.centre - mean,
          motion::rodriguesOf(fit->place.rotation * pose.rotation.transpose());
      const motion::Matrix6 stated = motion::statedPlace(space, floor, centred, sights, *fit).all();
      // The 95 % point of chi squared with six degrees of freedom.
      constexpr double kLimit = 12.59159;
      sum.within += off.dot(stated.inverse() * off) < kLimit;
      sum.squares += off.head<3>().squaredNorm();
      sum.turns += off.tail<3>().squaredNorm();
      const motion::Matrix6 bound = poseBound(truth, body, pose, 0.1);
      sum.placeBound += bound.topLeftCorner<3, 3>().trace();
      sum.turnBound += bound.bottomRightCorner<3, 3>().trace();
      ++sum.count;
    }
  }
  return sum;
}

TEST(Bodies, ReachTheCramerRaoBound) {
  constexpr double kDegree = std::numbers::pi / 180;
  for (const auto& [cameras, mm, degrees] :
       {std::tuple(4, 0.22, 0.28), std::tuple(8, 0.14, 0.19)}) {
    std::mt19937 random(21);
    const motion::Rig rig = ringRig(cameras);
    const Figures found = poses(rig, {rig}, 2500, random);
    ASSERT_GT(found.count, 400);
    EXPECT_LT(std::sqrt(found.squares / found.count), mm);
    EXPECT_LT(std::sqrt(found.turns / found.count), degrees * kDegree);
    EXPECT_LT(std::sqrt(found.squares / found.placeBound), 1.05);
    EXPECT_GT(std::sqrt(found.squares / found.placeBound), 0.95);
    EXPECT_LT(std::sqrt(found.turns / found.turnBound), 1.05);
    EXPECT_GT(std::sqrt(found.turns / found.turnBound), 0.95);
    EXPECT_GT(found.within, 0.93 * found.count);
    EXPECT_LT(found.within, 0.97 * found.count);
  }
}

TEST(Bodies, LieWhereTheySayWithTheRigsOwnUncertainty) {
  std::mt19937 random(22);
  const motion::Rig rig = ringRig(4);
  const auto size = static_cast<Eigen::Index>(4 * motion::kCameraNumbers);
  Eigen::VectorXd sigmas = Eigen::VectorXd::Zero(size);
  for (Eigen::Index c = 0; c < 4; ++c) {
    sigmas[c * motion::kCameraNumbers] = 0.8;
    sigmas.segment<3>(c * motion::kCameraNumbers + 9).setConstant(2e-4);
    sigmas.segment<3>(c * motion::kCameraNumbers + 12).setConstant(0.8);
  }
  // The believed rigs differ from the true one by random errors, and their stated covariance is
  // that of these errors.
  std::vector<motion::Rig> believed;
  for (int draw = 0; draw < 250; ++draw) {
    motion::Rig& one = believed.emplace_back(rig);
    motion::setCovariance(one, sigmas.cwiseAbs2().asDiagonal());
    for (size_t c = 0; c < 4; ++c) {
      motion::RigCamera& camera = one.cameras[c];
      const double focal = std::normal_distribution<double>(0, 0.8)(random);
      camera.lens.fx += focal;
      camera.pose.rotation += normalVector(random, 2e-4);
      camera.pose.translation += normalVector(random, 0.8);
    }
  }
  const Figures found = poses(rig, believed, 12, random);
  ASSERT_GT(found.count, 400);
  EXPECT_GT(found.within, 0.93 * found.count);
  EXPECT_LT(found.within, 0.97 * found.count);
  EXPECT_GT(found.squares, 2 * found.placeBound);  // The larger part is the rig's error.
}

/// Returns points as a set may have them: one for each place, with a stated sigma of 0.25 mm on
/// each axis.
std::vector<motion::SearchPoint> pointsAt(const Places& places, std::mt19937& random) {
  std::vector<motion::SearchPoint> points;
  for (const Eigen::Vector3d& at : places)
    points.push_back({at + normalVector(random, 0.25), 0.0625 * Eigen::Matrix3d::Identity()});
  return points;
}

TEST(Bodies, AreFoundInAnyPoseAmongOtherPoints) {
  std::mt19937 random(23);
  const motion::Body body = fourMarkers();
  size_t chance = 0;
  for (int i = 0; i < 60; ++i) {
    const BodyPose pose = anyPose(random);
    Places places = placesOf(body, pose);
    if (i % 2) places.pop_back();  // Three of the four markers are enough.
    const size_t own = places.size();
    for (const Eigen::Vector3d& at : anywhere(50, random)) places.push_back(at);
    const motion::SearchCloud cloud(pointsAt(places, random), body.extent());
    const auto guesses = motion::findBody(body, cloud, 0.2);
    ASSERT_FALSE(guesses.empty());
    const motion::BodyGuess& best = guesses.front();
    EXPECT_EQ(best.found, own);
    EXPECT_LT(best.chance, 1e-3);
    for (size_t m = 0; m < own; ++m) EXPECT_EQ(best.points[m], static_cast<int>(m));
    EXPECT_LT((best.motion.apply({0, 0, 0}) - pose.place).norm(), 3);
    places.erase(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(own));
    for (const motion::BodyGuess& guess :
         motion::findBody(body, {pointsAt(places, random), body.extent()}, 0.2))
      chance += guess.found == body.markers.size() || guess.chance < 1e-3;
  }
  EXPECT_EQ(chance, 0u);
}

TEST(Bodies, AreNotTheirMirrorImages) {
  std::mt19937 random(24);
  motion::Body mirrored = fourMarkers();
  for (motion::Body::Marker& marker : mirrored.markers) marker.at.z() = -marker.at.z();
  const motion::SearchCloud cloud(pointsAt(placesOf(fourMarkers(), anyPose(random)), random),
                                  mirrored.extent());
  for (const motion::BodyGuess& guess : motion::findBody(mirrored, cloud, 0.2))
    EXPECT_EQ(guess.found, 3u);
}

TEST(Bodies, OfDoubtfulShapesAreNamed) {
  const motion::Body four = fourMarkers();
  const motion::Body square{
      "square", {{"1", {0, 0, 0}}, {"2", {90, 0, 0}}, {"3", {90, 90, 0}}, {"4", {0, 90, 0}}}};
  motion::Body other = fourMarkers("other");
  std::reverse(other.markers.begin(), other.markers.end());
  const motion::Body part{"part", {four.markers[0], four.markers[1], four.markers[2]}};
  EXPECT_TRUE(motion::doubtsOf({four}).empty());
  EXPECT_TRUE(
      motion::doubtsOf({four, {"else", {{"1", {0, 0, 0}}, {"2", {50, 0, 0}}, {"3", {0, 70, 0}}}}})
          .empty());
  const auto doubts = motion::doubtsOf({four, square, other, part});
  ASSERT_EQ(doubts.size(), 4u);
  EXPECT_NE(doubts[0].find("'square' fits onto itself in several ways"), std::string::npos);
  EXPECT_NE(doubts[1].find("'four' and 'other' look alike"), std::string::npos);
  EXPECT_NE(doubts[2].find("'part' fit into those of 'four'"), std::string::npos);
  EXPECT_NE(doubts[3].find("'part' fit into those of 'other'"), std::string::npos);
}

}  // namespace
}  // namespace glint::test
