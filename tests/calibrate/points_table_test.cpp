#include "app/motion/calibrate/points_table.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "config/error.h"

namespace glint {
namespace {

class PointsTable : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "points_" +
            testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  motion::PointTable read(const std::string& text) {
    std::ofstream(path_) << text;
    return motion::readPoints(path_);
  }
  motion::LightRecording match(const std::string& text, size_t cameras = 2,
                               const std::map<size_t, double>& offsets = {}) {
    return motion::matchMoments(read(text), std::vector<motion::FrameExtent>(cameras, {640, 480}),
                                offsets, "p");
  }
  std::string refusal(const std::string& text, const std::map<size_t, double>& offsets = {}) {
    try {
      match(text, 2, offsets);
    } catch (const Error& error) {
      const std::string what = error.what();
      return what.starts_with(path_) ? "PATH" + what.substr(path_.size()) : what;
    }
    return "taken";
  }

  std::string path_;
};

TEST_F(PointsTable, GlintsOwnTablesAreOnes) {
  const motion::PointTable table = read(
      "camera,frame,time_s,track,state,x,y,vx,sigma_x,sigma_y\n"
      "0,5,0.1,1,measured,10.5,20.25,3,0.1,0.2\n"
      "0,6,0.2,1,predicted,11,21,3,,\n"
      "1,5,0.1,1,measured,12,22,3,0,0\n");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_TRUE(table.timed);
  EXPECT_TRUE(table.sigmasKnown);
  EXPECT_EQ(table.rows[0].dot.at, Eigen::Vector2d(10.5, 20.25));
  EXPECT_EQ(table.rows[0].dot.sigma, Eigen::Vector2d(0.1, 0.2));
  EXPECT_EQ(table.rows[1].camera, 1U);
  EXPECT_EQ(table.rows[1].dot.sigma, Eigen::Vector2d(0.02, 0.02));
}

TEST_F(PointsTable, FramesOfOneNumberAreOneMoment) {
  const motion::LightRecording r = match("camera,frame,x,y\n1,7,1,2\n0,7,3,4\n0,7,5,6\n0,3,7,8\n");
  EXPECT_FALSE(r.timed);
  EXPECT_FALSE(r.sigmasKnown);
  ASSERT_EQ(r.moments.size(), 2U);
  EXPECT_EQ(r.moments[0].time, 3);
  EXPECT_EQ(r.moments[0].views[1].dots.size(), 0U);
  EXPECT_EQ(r.moments[1].views[0].dots.size(), 2U);
  EXPECT_EQ(r.moments[1].views[1].dots.size(), 1U);
  EXPECT_EQ(r.worstDelay, 0);
}

TEST_F(PointsTable, WithTimesTheNearestWithinHalfAnIntervalIsOfTheMoment) {
  // Frames follow each other by 0.1 s. Camera 1's third frame is too far from all frames of camera
  // 0.
  const std::string text =
      "camera,frame,time_s,x,y\n0,0,0.0,1,1\n0,1,0.1,1,1\n0,2,0.2,1,1\n0,3,0.3,1,1\n"
      "1,10,0.02,2,2\n1,11,0.13,2,2\n1,12,0.36,2,2\n";
  const motion::LightRecording r = match(text);
  ASSERT_EQ(r.moments.size(), 5U);
  EXPECT_NEAR(r.moments[0].views[1].delay, 0.02, 1e-12);
  EXPECT_NEAR(r.moments[1].views[1].delay, 0.03, 1e-12);
  EXPECT_EQ(r.moments[3].views[1].dots.size(), 0U);
  EXPECT_NEAR(r.moments[4].time, 0.36, 1e-12);
  EXPECT_NEAR(r.worstDelay, 0.03, 1e-12);
  // Camera 1 began 10 s later than camera 0.
  const motion::LightRecording shifted =
      match("camera,frame,time_s,x,y\n0,0,10.0,1,1\n0,1,10.1,1,1\n1,0,0.0,2,2\n1,1,0.1,2,2\n", 2,
            {{1, 10.0}});
  EXPECT_EQ(shifted.moments.size(), 2U);
}

TEST_F(PointsTable, OneSizeIsAllCameras) {
  const motion::LightRecording r = match("camera,frame,x,y\n0,0,1,1\n3,0,1,1\n", 1);
  ASSERT_EQ(r.sizes.size(), 4U);
  EXPECT_EQ(r.sizes[3].width, 640);
}

TEST_F(PointsTable, BadOnesAreRefusedInASentence) {
  EXPECT_EQ(refusal("camera,frame,x\n"), "PATH, line 1: there is no column \"y\"");
  EXPECT_EQ(refusal("camera,frame,x,y\n"), "p has no measured points");
  EXPECT_EQ(refusal("camera,frame,x,y\n0,0,nan,1\n"), "PATH, line 2: \"nan\" is not a valid x");
  EXPECT_EQ(refusal("camera,frame,x,y\n99,0,1,1\n"), "PATH, line 2: \"99\" is not a valid camera");
  EXPECT_EQ(refusal("camera,frame,x,y,sigma_x,sigma_y\n0,0,1,1,-1,1\n"),
            "PATH, line 2: \"-1\" is not a valid sigma_x");
  EXPECT_EQ(refusal("camera,frame,x,y\n2,0,1,1\n"),
            "p has points of camera 2, but --size is given for 2 cameras");
  EXPECT_EQ(refusal("camera,frame,x,y\n0,4,900,1\n"),
            "p: camera 0, frame 4 has a point at (900, 1), outside its 640x480 pixels");
  EXPECT_EQ(refusal("camera,frame,x,y\n0,4,1,1\n", {{0, 1.0}}),
            "--offset needs times, and p has no column time_s");
  EXPECT_EQ(refusal("camera,frame,time_s,x,y\n0,4,0,1,1\n", {{5, 1.0}}),
            "--offset 5,1: there are cameras 0 to 1");
}

}  // namespace
}  // namespace glint
