// Tests bodies that are followed: they are found, partly hidden, away for a while, and told apart
// from bodies like them.
#include <cmath>
#include <map>
#include <numbers>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "app/motion/geometry/rotation.h"
#include "app/motion/space/bodies_file.h"
#include "app/motion/space/point_tracker.h"
#include "tests/geometry/rigs.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

constexpr double kBodyRate = 100;  // Hz
constexpr double kDegree = std::numbers::pi / 180;

/// Returns the pose of a body that moves at about 1 m/s and turns at about 200 degrees/s.
BodyPose poseAt(double time, double phase = 0) {
  const double t = time + phase;
  return {motion::rotationOf({0.4 * std::sin(2 * t), 1.5 * std::sin(1.3 * t), 3 * t}),
          {400 * std::sin(2 * t), 300 * std::cos(1.7 * t), 250 * std::sin(1.1 * t)}};
}

/// The rows and notes of a whole run.
struct Followed {
  std::vector<motion::PoseRow> poses;
  std::vector<motion::SpaceRow> points;
  std::vector<std::string> notes;
};

/// Runs a tracker over `sets` sets of what the cameras see of `markers(time)`, and returns
/// everything that it reported. `unseen` is the share of dots that are missing.
Followed runOf(const std::vector<motion::Body>& bodies, uint64_t sets, const auto& markers,
               int cameras = 6, double unseen = 0.05) {
  std::mt19937 random(31);
  const motion::Rig rig = ringRig(cameras);
  motion::PointTracker tracker(std::make_shared<const motion::SpaceRig>(rig), Settings().track,
                               false, false,
                               std::make_shared<const std::vector<motion::Body>>(bodies));
  Followed run;
  const auto take = [&] {
    motion::SpaceFrame frame = tracker.takeFrame();
    std::move(frame.poses.begin(), frame.poses.end(), std::back_inserter(run.poses));
    std::move(frame.finalised.begin(), frame.finalised.end(), std::back_inserter(run.points));
    std::move(frame.notes.begin(), frame.notes.end(), std::back_inserter(run.notes));
  };
  for (uint64_t f = 0; f < sets; ++f) {
    const double time = double(f) / kBodyRate;
    tracker.update(
        viewOf(rig, markers(f, time), {.unseen = unseen, .time = time, .frame = f}, random));
    take();
  }
  tracker.finish();
  take();
  return run;
}

double turnOff(const motion::PoseRow& row, const BodyPose& truth) {
  return motion::rodriguesOf(row.attitude.toRotationMatrix() * truth.rotation.transpose()).norm();
}

TEST(BodyTracker, FollowsABodyInASwarm) {
  const motion::Body body = fourMarkers();
  std::mt19937 random(30);
  const Swarm swarm(25, random);
  const Followed run = runOf({body}, 150, [&](uint64_t, double time) {
    Places all = swarm.at(time);
    for (const Eigen::Vector3d& at : placesOf(body, poseAt(time))) all.push_back(at);
    return all;
  });
  ASSERT_GT(run.poses.size(), 144u);
  EXPECT_TRUE(run.notes.empty());
  uint64_t frame = run.poses.front().frame;
  EXPECT_LT(frame, 6u);
  for (const motion::PoseRow& row : run.poses) {
    EXPECT_EQ(row.frame, frame++);
    EXPECT_EQ(row.body, "four");
    const BodyPose truth = poseAt(row.time);
    EXPECT_LT((row.at - truth.place).norm(), 6 * row.sigma()) << row.frame;
    EXPECT_LT(turnOff(row, truth), 6 * row.sigmaAngle()) << row.frame;
    if (row.state != motion::PoseState::measured) continue;
    EXPECT_GE(row.markers, 3);
    EXPECT_LT(row.residual, 8);
  }
  size_t labelled = 0, wrong = 0;
  for (const motion::SpaceRow& row : run.points) {
    if (row.body.empty()) continue;
    ++labelled;
    for (const motion::Body::Marker& marker : body.markers)
      if (marker.label == row.label) wrong += (poseAt(row.time) * marker.at - row.at).norm() > 10;
  }
  EXPECT_GT(labelled, 4u * 140);
  EXPECT_EQ(wrong, 0u);
}

TEST(BodyTracker, GoesOnWithTwoMarkersAndPredictsFor02s) {
  const motion::Body body = fourMarkers();
  const Followed run = runOf(
      {body}, 200,
      [&](uint64_t f, double time) {
        Places all = placesOf(body, poseAt(time));
        if (f >= 50 && f < 80) all.resize(2);
        if (f >= 110 && f < 150) all.clear();
        all.push_back({-900, 900, 300});  // This marker keeps the sets from being empty.
        return all;
      },
      8, 0);
  std::map<uint64_t, motion::PoseRow> rows;
  for (const motion::PoseRow& row : run.poses) rows[row.frame] = row;
  for (uint64_t f = 5; f < 200; ++f) {
    const bool away = f >= 130 && f < 153;
    // The tracks of its points are not confirmed yet.
    if (f >= 150 && f < 153 && !rows.contains(f)) continue;
    ASSERT_EQ(rows.contains(f), !away || f >= 150) << f;
    if (away) continue;
    const motion::PoseRow& row = rows[f];
    const BodyPose truth = poseAt(row.time);
    const bool two = f >= 50 && f < 80, none = f >= 110 && f < 130;
    EXPECT_EQ(row.state, two    ? motion::PoseState::partial
                         : none ? motion::PoseState::predicted
                                : motion::PoseState::measured)
        << f;
    EXPECT_EQ(row.markers, two ? 2 : none ? 0 : f == 80 ? row.markers : 4) << f;
    EXPECT_LT((row.at - truth.place).norm(), 5 * row.sigma() + 1) << f;
    EXPECT_LT(turnOff(row, truth), 5 * row.sigmaAngle()) << f;
    EXPECT_LT(turnOff(row, truth), 15 * kDegree) << f;
    EXPECT_TRUE(!none || row.sigma() > rows[f - 1].sigma()) << f;
    EXPECT_EQ(std::isnan(row.residual), none);
  }
}

TEST(BodyTracker, IsForetoldThroughSetsWithoutADot) {
  const motion::Body body = fourMarkers();
  const auto blank = [](uint64_t f) { return (f >= 40 && f < 55) || (f >= 100 && f < 140); };
  struct Poses {
    std::map<uint64_t, motion::PoseRow> now, rows;
  };
  const auto run = [&](bool withBlanks) {
    std::mt19937 random(33);
    const motion::Rig rig = ringRig(8);
    motion::PointTracker tracker(
        std::make_shared<const motion::SpaceRig>(rig), Settings().track, false, false,
        std::make_shared<const std::vector<motion::Body>>(std::vector<motion::Body>{body}));
    Poses poses;
    uint64_t last = 0;
    for (uint64_t f = 0; f < 170; ++f) {
      if (blank(f) && !withBlanks) continue;
      const double time = double(f) / kBodyRate;
      const Places markers = blank(f) ? Places() : placesOf(body, poseAt(time));
      tracker.update(viewOf(rig, markers, {.time = time, .frame = f}, random));
      const motion::SpaceFrame frame = tracker.takeFrame();
      EXPECT_EQ(frame.frame.has_value(), !blank(f));
      for (const motion::PoseRow& row : frame.poses) {
        EXPECT_EQ(row.frame, f);
        EXPECT_NEAR(frame.time, time, 1e-9);
        poses.now[f] = row;
      }
      for (const motion::PoseRow& row : frame.finalPoses) {
        EXPECT_GT(row.frame, last);
        last = row.frame;
        poses.rows[last] = row;
      }
    }
    tracker.finish();
    EXPECT_TRUE(tracker.takeFrame().finalPoses.empty());
    return poses;
  };
  const Poses with = run(true), without = run(false);
  for (uint64_t f = 5; f < 170; ++f) {
    if (f >= 140 && f < 143) continue;      // The tracks of its points are not confirmed yet.
    const bool away = f >= 120 && f < 140;  // This is more than 0.2 s after the points were hidden.
    ASSERT_EQ(with.rows.contains(f), !away) << f;
    ASSERT_EQ(with.now.contains(f), !away) << f;
    ASSERT_EQ(without.rows.contains(f), !away) << f;
    if (away) continue;
    const motion::PoseRow &row = with.rows.at(f), &now = with.now.at(f), &same = without.rows.at(f);
    EXPECT_EQ(row.time, same.time);
    EXPECT_EQ(row.at, same.at);
    EXPECT_EQ(row.covariance, same.covariance);
    EXPECT_LT((row.at - now.at).norm(), 1e-6);
    EXPECT_EQ(row.state == motion::PoseState::predicted, blank(f)) << f;
    EXPECT_EQ(row.markers == 0, blank(f));
    EXPECT_NEAR(row.time, double(f) / kBodyRate, 1e-9);
    EXPECT_LT((row.at - poseAt(row.time).place).norm(), 5 * row.sigma() + 1) << f;
    EXPECT_LT(turnOff(row, poseAt(row.time)), 5 * row.sigmaAngle()) << f;
    EXPECT_TRUE(!blank(f) || row.sigma() > with.rows.at(f - 1).sigma()) << f;
  }
}

TEST(BodyTracker, TellsTwoAlikeApartByTheirHistory) {
  // The second body has the same markers in another order and in other axes. Both leave together
  // and come back.
  const motion::Body first = fourMarkers("first");
  motion::Body second = fourMarkers("second");
  std::swap(second.markers[0], second.markers[2]);
  for (motion::Body::Marker& marker : second.markers)
    marker.at = motion::rotationOf({0.3, 0.5, -0.2}) * marker.at + Eigen::Vector3d(5, 10, -20);
  const auto secondPose = [](double time) {
    BodyPose pose = poseAt(time, 1.4);
    pose.place.z() += 150;
    return pose;
  };
  const Followed run = runOf({first, second}, 300, [&](uint64_t f, double time) {
    Places all{{-900, 900, 300}};
    const bool away = f >= 120 && f < 160, secondAway = away || (f >= 200 && f < 260);
    if (!away)
      for (const Eigen::Vector3d& at : placesOf(first, poseAt(time))) all.push_back(at);
    if (!secondAway)
      for (const Eigen::Vector3d& at : placesOf(second, secondPose(time))) all.push_back(at);
    return all;
  });
  std::map<std::string, std::map<uint64_t, motion::PoseRow>> rows;
  for (const motion::PoseRow& row : run.poses) rows[row.body][row.frame] = row;
  ASSERT_EQ(rows.size(), 2u);
  // At first either name may go to either body. Later each body keeps the name that it got.
  const motion::PoseRow& begin = rows["first"].begin()->second;
  const bool swapped = (begin.at - poseAt(begin.time).place).norm() > 50;
  const auto truthOf = [&](const motion::PoseRow& row) {
    const bool isFirst = (row.body == "first") != swapped;
    return isFirst ? poseAt(row.time) * first.centre() : secondPose(row.time) * second.centre();
  };
  size_t right = 0;
  for (const auto& [name, own] : rows) {
    const motion::Body& body = name == "first" ? first : second;
    for (const auto& [f, row] : own) {
      const double off = (row.at + row.attitude * body.centre() - truthOf(row)).norm();
      EXPECT_LT(off, 8 + 6 * row.sigma()) << name << ' ' << f;
      right += row.state == motion::PoseState::measured && off < 5;
    }
  }
  EXPECT_GT(right, 260u + 200u - 30);
  EXPECT_TRUE(rows["first"].contains(170) && rows["second"].contains(170));
  EXPECT_TRUE(rows["first"].contains(299) && rows["second"].contains(299));
}

TEST(BodyTracker, ThatIsNotThereIsNotFound) {
  std::mt19937 random(32);
  const Swarm swarm(60, random);
  const Followed run = runOf(
      {fourMarkers()}, 60, [&](uint64_t, double time) { return swarm.at(time); }, 8, 0.1);
  EXPECT_TRUE(run.poses.empty());
  EXPECT_GT(run.points.size(), 60u * 50);
}

TEST(BodyTracker, FollowsBodiesThatAreNearlyALine) {
  const motion::Body thin{"thin", {{"1", {0, 0, 0}}, {"2", {300, 0, 0}}, {"3", {120, 20, 0}}}, 0};
  const motion::Body alike{"alike", {{"1", {120, 20, 0}}, {"2", {300, 0, 0}}, {"3", {0, 0, 0}}}, 0};
  const motion::Body flat{"flat", {{"1", {0, 0, 0}}, {"2", {300, 0, 0}}, {"3", {120, 8, 0}}}, 0};
  EXPECT_EQ(motion::problemOf(thin), "");
  EXPECT_NE(motion::problemOf(flat).find("all markers on one line"), std::string::npos);
  const Followed run = runOf(
      {thin, alike}, 40, [&](uint64_t, double time) { return placesOf(thin, poseAt(time)); }, 6, 0);
  ASSERT_GT(run.poses.size(), 30u);
  for (const motion::PoseRow& row : run.poses) {
    EXPECT_EQ(row.body, run.poses.front().body);
    EXPECT_EQ(row.state, motion::PoseState::measured) << row.frame;
    EXPECT_LT(turnOff(row, poseAt(row.time)), 6 * row.sigmaAngle()) << row.frame;
  }
}

TEST(BodyTracker, MarksPosesOfABodyThatFitsOntoItself) {
  const motion::Body four = fourMarkers();
  const motion::Body square{
      "square", {{"1", {0, 0, 0}}, {"2", {90, 0, 0}}, {"3", {90, 90, 0}}, {"4", {0, 90, 0}}}};
  const Followed run = runOf({four, square}, 20, [&](uint64_t, double time) {
    Places all = placesOf(four, poseAt(time));
    for (const Eigen::Vector3d& at : placesOf(square, poseAt(time, 2))) all.push_back(at);
    return all;
  });
  std::map<std::string, std::map<unsigned, int>> flags;
  for (const motion::PoseRow& row : run.poses) ++flags[row.body][row.flags];
  EXPECT_EQ(flags.size(), 2u);
  EXPECT_GT(flags["four"][0], 10);
  EXPECT_EQ(flags["four"].size(), 1u);
  EXPECT_GT(flags["square"][motion::kFitsAnotherPose], 10);
  EXPECT_EQ(flags["square"].size(), 1u);
}

}  // namespace
}  // namespace glint::test
