// Tests that a camera is named if it has stood elsewhere than the rig says since the first frame.
#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include "app/motion/geometry/rotation.h"
#include "app/motion/space/point_tracker.h"
#include "tests/geometry/rigs.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

/// Returns the rig with one camera turned about the world's z axis. The camera keeps its place.
motion::Rig turnedInPlace(motion::Rig rig, size_t camera, double degrees) {
  motion::Pose& pose = rig.cameras[camera].pose;
  const Eigen::Matrix3d before = motion::rotationOf(pose.rotation);
  const Eigen::Matrix3d after =
      before * motion::rotationOf({0, 0, degrees * std::numbers::pi / 180});
  pose.translation = after * before.transpose() * pose.translation;
  pose.rotation = motion::rodriguesOf(after);
  return rig;
}

struct RunDoubts {
  std::vector<std::string> notes, sentences;
};

/// Returns what a tracker says about its rig, `stated`, while the cameras really stand as in `real`
/// and see a swarm of 30 markers.
RunDoubts doubtsAbout(const motion::Rig& real, motion::Rig stated, uint64_t sets = 120) {
  std::mt19937 random(41);
  stated.exact = true;
  const Swarm swarm(30, random);
  motion::PointTracker tracker(std::make_shared<const motion::SpaceRig>(std::move(stated)),
                               Settings().track);
  RunDoubts doubts;
  for (uint64_t f = 0; f < sets; ++f) {
    const double time = double(f) / 100;
    tracker.update(viewOf(real, swarm.at(time), {.unseen = 0.1, .time = time, .frame = f}, random));
    for (std::string& note : tracker.takeFrame().notes) doubts.notes.push_back(std::move(note));
  }
  doubts.sentences = tracker.cameraDoubts();
  return doubts;
}

testing::AssertionResult saysFirst(const std::string& text, const std::string& with) {
  if (text.starts_with(with)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << text << "\" does not begin with \"" << with << "\"";
}

/// Returns the sentence about a rig of two cameras when `real` sees four markers, and `alone` more
/// are seen by each of its cameras alone.
std::vector<std::string> doubtsAboutPair(const motion::Rig& real, motion::Rig stated,
                                         size_t alone) {
  std::mt19937 random(43);
  stated.exact = true;
  const Swarm swarm(4, random), left(alone, random), right(alone, random);
  motion::PointTracker tracker(std::make_shared<const motion::SpaceRig>(std::move(stated)),
                               Settings().track);
  for (uint64_t f = 0; f < 200; ++f) {
    const double time = double(f) / 100;
    const Viewing viewing{.time = time, .frame = f};
    motion::SpaceSet set = viewOf(real, swarm.at(time), viewing, random);
    for (size_t c = 0; c < 2; ++c) {
      const motion::SpaceSet more = viewOf(real, (c == 0 ? left : right).at(time), viewing, random);
      for (const motion::SpaceDot& dot : more.views[c].dots) set.views[c].dots.push_back(dot);
    }
    tracker.update(set);
  }
  return tracker.cameraDoubts();
}

TEST(CameraDoubts, NameTwoCamerasWhoseRaysMissEachOther) {
  motion::Rig rig = ringRig(6);
  rig.cameras.resize(2);
  EXPECT_TRUE(doubtsAboutPair(rig, rig, 0).empty());
  EXPECT_TRUE(doubtsAboutPair(rig, rig, 12).empty());
  motion::Rig turned = rig;
  motion::Pose& pose = turned.cameras[1].pose;
  const Eigen::Matrix3d rotation =
      motion::rotationOf({0.5 * std::numbers::pi / 180, 0, 0}) * pose.matrix();
  pose = {motion::rodriguesOf(rotation), -(rotation * pose.centre())};
  const auto doubts = doubtsAboutPair(turned, rig, 0);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_TRUE(saysFirst(doubts[0], "only ")) << doubts[0];
  EXPECT_NE(doubts[0].find("their rays miss each other by about "), std::string::npos) << doubts[0];
  EXPECT_TRUE(doubts[0].ends_with(" px; calibrate again")) << doubts[0];
}

TEST(CameraDoubts, NoneWhereTheRigIsRightOrNearlySo) {
  std::mt19937 random(42);
  for (const int cameras : {3, 4, 8}) {
    const motion::Rig rig = ringRig(cameras);
    for (const motion::Rig& stated : {rig, disturbed(rig, 0.02, 1, random)}) {
      const RunDoubts doubts = doubtsAbout(rig, stated);
      EXPECT_TRUE(doubts.notes.empty()) << cameras << ": " << doubts.notes.front();
      EXPECT_TRUE(doubts.sentences.empty());
    }
  }
}

TEST(CameraDoubts, NameACameraThatWasTurnedBeforeTheFirstFrame) {
  for (const int cameras : {4, 8}) {
    const motion::Rig rig = ringRig(cameras);
    const std::string nearBy = "camera 2 sees points about ", far = "camera 2 sees ";
    for (const auto& [degrees, words] :
         {std::pair(0.3, nearBy + "5"), std::pair(1.0, nearBy + "1"), std::pair(10.0, far)}) {
      const RunDoubts doubts = doubtsAbout(rig, turnedInPlace(rig, 2, degrees));
      ASSERT_EQ(doubts.sentences.size(), 1U) << cameras << " " << degrees;
      EXPECT_TRUE(saysFirst(doubts.sentences[0], words));
      ASSERT_EQ(doubts.notes.size(), 1U) << degrees;  // The note is given once.
      EXPECT_TRUE(saysFirst(doubts.notes[0], words));
    }
    EXPECT_NE(doubtsAbout(rig, turnedInPlace(rig, 2, 10))
                  .sentences[0]
                  .find("of the points that others place"),
              std::string::npos);
  }
}

TEST(CameraDoubts, NameCamerasThatWereExchanged) {
  for (const int cameras : {6, 8}) {
    const motion::Rig rig = ringRig(cameras);
    motion::Rig swapped = rig;
    std::swap(swapped.cameras[1], swapped.cameras[2]);
    const RunDoubts doubts = doubtsAbout(rig, swapped);
    ASSERT_EQ(doubts.sentences.size(), 2U) << cameras;
    EXPECT_TRUE(saysFirst(doubts.sentences[0], "camera 1 sees "));
    EXPECT_TRUE(saysFirst(doubts.sentences[1], "camera 2 sees "));
  }
  // If all cameras are in another order, nothing fits together and no camera is known to be right.
  const motion::Rig rig = ringRig(4);
  motion::Rig reversed = rig;
  std::reverse(reversed.cameras.begin(), reversed.cameras.end());
  EXPECT_EQ(doubtsAbout(rig, reversed).sentences.size(), 4U);
}

}  // namespace
}  // namespace glint::test
