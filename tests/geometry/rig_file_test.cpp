#include "app/motion/rig/rig_file.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/motion/rig/rig_forms.h"
#include "config/error.h"
#include "tests/geometry/rigs.h"

namespace glint {
namespace {

motion::RigFile exampleFile(int cameras) {
  motion::RigFile file;
  file.rig = test::ringRig(cameras);
  std::mt19937 random(1);
  const Eigen::Index size = cameras * motion::kCameraNumbers;
  const Eigen::MatrixXd mixing = Eigen::MatrixXd::NullaryExpr(
      size, size, [&] { return std::normal_distribution<double>(0, 1e-3)(random); });
  const Eigen::MatrixXd square = mixing * mixing.transpose();
  motion::setCovariance(file.rig, (square + square.transpose()) / 2);
  file.rig.cameras[1].timeOffset = 0.008;
  file.rig.cameras[0].readout = 0.015;
  file.rig.cameras[0].name = "left \"one\" \\ ä";
  file.date = "2026-01-02";
  file.method = "a wand of 500 mm";
  file.error = 0.125;
  return file;
}

void expectSame(const motion::RigFile& a, const motion::RigFile& b) {
  ASSERT_EQ(a.rig.cameras.size(), b.rig.cameras.size());
  for (size_t c = 0; c < a.rig.cameras.size(); ++c) {
    const motion::RigCamera &left = a.rig.cameras[c], &right = b.rig.cameras[c];
    EXPECT_EQ(left.name, right.name);
    EXPECT_EQ(left.width, right.width);
    EXPECT_EQ(left.height, right.height);
    EXPECT_TRUE(left.lens.numbers() == right.lens.numbers());
    EXPECT_TRUE(left.pose.rotation == right.pose.rotation);
    EXPECT_TRUE(left.pose.translation == right.pose.translation);
    EXPECT_EQ(left.timeOffset, right.timeOffset);
    EXPECT_EQ(left.readout, right.readout);
  }
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.date, b.date);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.error, b.error);
  EXPECT_EQ(a.rig.covariance.names, b.rig.covariance.names);
  EXPECT_TRUE(a.rig.covariance.matrix == b.rig.covariance.matrix);
}

TEST(RigFile, ReadsBackAsItWasWritten) {
  for (const int cameras : {2, 10, 12}) {
    const motion::RigFile file = exampleFile(cameras);
    expectSame(motion::readRigText(motion::rigText(file), "rig.toml"), file);
  }
}

TEST(RigFile, AnExactRigStaysSo) {
  motion::RigFile file = exampleFile(3);
  file.rig.covariance = {};
  EXPECT_FALSE(motion::readRigText(motion::rigText(file), "rig.toml").rig.exact);
  file.rig.exact = true;
  EXPECT_TRUE(motion::readRigText(motion::rigText(file), "rig.toml").rig.exact);
  EXPECT_TRUE(motion::chosen(file.rig, std::vector<size_t>{2, 0}).exact);
  EXPECT_TRUE(motion::moved(file.rig, {{0, 0, 1}, {1, 2, 3}}, 2).exact);
  motion::setCovariance(
      file.rig, Eigen::MatrixXd::Identity(3 * motion::kCameraNumbers, 3 * motion::kCameraNumbers));
  EXPECT_FALSE(motion::readRigText(motion::rigText(file), "rig.toml").rig.exact);
}

TEST(RigFile, SaysHowPicturesWereTurnedIfItIsKnown) {
  motion::RigFile file = exampleFile(2);
  EXPECT_EQ(motion::rigText(file).find("orientation"), std::string::npos);
  file.orientations = {"as stored", "turned by 180 degrees"};
  const std::string text = motion::rigText(file);
  EXPECT_NE(text.find("\norientation = [\"as stored\", \"turned by 180 degrees\"]\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(motion::readRigText(text, "rig.toml").orientations, file.orientations);
}

TEST(RigFile, NamesArePaddedAboveTenCamerasSoThatTheySort) {
  const std::string twelve = motion::rigText(exampleFile(12)),
                    ten = motion::rigText(exampleFile(10));
  EXPECT_NE(twelve.find("[cam_03]"), std::string::npos);
  EXPECT_NE(twelve.find("\"cam_03.fx\""), std::string::npos);
  EXPECT_NE(ten.find("[cam_3]"), std::string::npos);
  EXPECT_EQ(motion::aniposeText(exampleFile(12)).find("covariance"), std::string::npos);
}

/// A file as people write it by hand: whole numbers, no name for the first camera, and no metadata.
const std::string kByHand = R"([cam_0]
size = [640, 480]
matrix = [[500, 0, 320], [0, 500, 240], [0, 0, 1]]
rotation = [0, 0, 0]
translation = [0, 0, 0]
[cam_02]
name = "two"
size = [640, 480]
matrix = [[500, 0, 320], [0, 500, 240], [0, 0, 1]]
distortions = [0.1, 0, 0, 0]
rotation = [0, 1.5, 0]
translation = [0, 0, 1000]
[cam_1]
size = [320, 240]
matrix = [[500, 0, 320], [0, 500, 240], [0, 0, 1]]
rotation = [0, 0, 0]
translation = [0, 0, 0]
)";

TEST(RigFile, IsReadAsWrittenByHandByTheNumbersOfItsTables) {
  const motion::RigFile file = motion::readRigText(kByHand, "rig.toml");
  ASSERT_EQ(file.rig.cameras.size(), 3U);
  EXPECT_EQ(file.rig.cameras[0].name, "cam_0");
  EXPECT_EQ(file.rig.cameras[1].name, "cam_1");
  EXPECT_EQ(file.rig.cameras[1].width, 320);
  EXPECT_EQ(file.rig.cameras[2].name, "two");
  EXPECT_EQ(file.rig.cameras[2].lens.k1, 0.1);
  EXPECT_EQ(file.unit, "mm");
  EXPECT_TRUE(std::isnan(file.error));
  EXPECT_TRUE(file.rig.covariance.names.empty());
}

TEST(RigFile, IsReadAsAniposelibWritesIt) {
  // This text was printed by toml.dump() of CameraGroup.get_dicts() of aniposelib 0.5.
  const motion::RigFile file = motion::readRigText(R"([cam_0]
name = "A"
size = [ 1280, 1024,]
matrix = [ [ 1000.5, 0.0, 639.5,], [ 0.0, 1000.5, 511.5,], [ 0.0, 0.0, 1.0,],]
distortions = [ -0.1, 0.0, 0.0, 0.0, 0.0,]
rotation = [ 0.01, 0.02, 0.03,]
translation = [ 1.0, 2.0, 3.0,]
fisheye = false

[metadata]
adjusted = true
error = 0.26
)",
                                                   "calibration.toml");
  EXPECT_EQ(file.rig.cameras.at(0).lens.fx, 1000.5);
  EXPECT_EQ(file.error, 0.26);
}

std::string refusal(const std::string& text) {
  try {
    motion::readRigText(text, "rig.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(RigFile, ABadFileIsRefusedWithItsPlace) {
  const std::string good = R"([cam_0]
size = [640, 480]
matrix = [[500, 0, 320], [0, 500, 240], [0, 0, 1]]
rotation = [0, 0, 0]
translation = [0, 0, 0]
[metadata]
time_offset_s = [0.5]
[metadata.covariance]
parameters = ["cam_0.fx", "cam_0.cx"]
lower_triangle = [[4], [1, 2]]
)";
  ASSERT_EQ(refusal(good), "taken");
  struct Case {
    std::string text, sentence;
  };
  const std::vector<Case> cases{
      {"", "rig.toml has no camera: the table [cam_0] is missing"},
      {"a = 1", "rig.toml, line 1: \"a\" is not the table of a camera"},
      {replaced(good, "size = [640, 480]\n", ""), "rig.toml, line 1: [cam_0] has no size"},
      {replaced(good, "[640, 480]", "[640]"),
       "rig.toml, line 1: [cam_0] has a size of 1 numbers, but 2 are needed"},
      {replaced(good, "[640, 480]", "[640, 0]"),
       "rig.toml, line 1: [cam_0] has a size that is not two whole numbers of pixels"},
      {replaced(good, "rotation = [0, 0, 0]", "rotation = [0, nan, 0]"),
       "rig.toml, line 1: [cam_0] has a rotation that is not a list of finite numbers"},
      {replaced(good, "500, 0, 320", "-500, 0, 320"),
       "rig.toml, line 1: [cam_0] has a matrix that is not [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]"},
      {replaced(good, "rotation", "fisheye = 1\nrotation"),
       "rig.toml, line 1: [cam_0] has a fisheye that is neither true nor false"},
      {replaced(good, "rotation", "fisheye = true\ndistortions = [0, 0, 0, 0, 1]\nrotation"),
       "rig.toml, line 1: [cam_0] has 5 distortion coefficients, but a fisheye has four: k1 to k4"},
      {replaced(good, "[0.5]", "[0.5, 0.5]"),
       "rig.toml, line 6: [metadata] has a time_offset_s of 2 numbers, but 1 are needed"},
      {replaced(good, "[metadata]", "[metadata]\norientation = [1]"),
       "rig.toml, line 6: [metadata] has an orientation that is not a list of 1 text"},
      {replaced(good, "[metadata]", "[metadata]\norientation = [\"a\", \"b\"]"),
       "rig.toml, line 6: [metadata] has an orientation that is not a list of 1 text"},
      {replaced(good, "cam_0.cx", "cam_1.cx"),
       "rig.toml, line 8: [metadata.covariance] has the parameter \"cam_1.cx\", which no camera "
       "has"},
      {replaced(good, "cam_0.cx", "cam_0.zoom"),
       "rig.toml, line 8: [metadata.covariance] the covariance names \"cam_0.zoom\", which no "
       "camera has"},
      {replaced(good, "[[4], [1, 2]]", "[[4], [3, 2]]"),
       "rig.toml, line 8: [metadata.covariance] holds no covariance matrix"},
      {replaced(good, "[metadata]", "[metadata]\nexact = 1"),
       "rig.toml, line 6: [metadata] has an exact that is neither true nor false"},
      {replaced(good, "[metadata]", "[metadata]\nexact = true"),
       "rig.toml, line 6: [metadata] is exact, and has a covariance"},
      {replaced(good, "[[4], [1, 2]]", "[[4], [3]]"),
       "rig.toml, line 8: [metadata.covariance] has a lower_triangle of 2 numbers, but 3 are "
       "needed"},
  };
  for (const Case& bad : cases) EXPECT_EQ(refusal(bad.text), bad.sentence);
  EXPECT_TRUE(refusal("[cam_0").starts_with("rig.toml, line 1: "));
}

TEST(RigFile, NumbersOfTablesAreCamerasAndLeaveNoneOut) {
  const auto named = [](const std::string& zero, const std::string& one, const std::string& two) {
    return replaced(
        replaced(replaced(kByHand, "[cam_1]", "[" + two + "]"), "[cam_02]", "[" + one + "]"),
        "[cam_0]", "[" + zero + "]");
  };
  // If cameras are listed in another order, their time offsets and covariance follow them.
  const motion::RigFile turned =
      motion::readRigText(named("cam_2", "cam_0", "cam_1") + R"([metadata]
time_offset_s = [0.1, 0.2, 0.3]
[metadata.covariance]
parameters = ["cam_2.fx", "cam_0.fy"]
lower_triangle = [[4], [1, 2]]
)",
                          "rig.toml");
  EXPECT_EQ(turned.rig.cameras[0].name, "two");
  EXPECT_EQ(turned.rig.cameras[0].timeOffset, 0.1);
  EXPECT_EQ(turned.rig.cameras[2].name, "cam_2");
  EXPECT_EQ(turned.rig.covariance.names, (std::vector<std::string>{"cam_2.fx", "cam_0.fy"}));

  const motion::RigFile others = motion::readRigText(named("left", "cam_x", "cam_"), "rig.toml");
  EXPECT_EQ(others.rig.cameras[0].name, "left");
  EXPECT_EQ(others.rig.cameras[1].name, "two");
  EXPECT_EQ(others.rig.cameras[2].name, "cam_");

  EXPECT_EQ(refusal(named("cam_0", "cam_1", "cam_3")),
            "rig.toml has 3 cameras, but no [cam_2]: numbers go from 0 without a gap");
  EXPECT_EQ(refusal(named("cam_1", "cam_2", "cam_99999999999999999999999")),
            "rig.toml has 3 cameras, but no [cam_0]: numbers go from 0 without a gap");
  EXPECT_EQ(refusal(named("cam_0", "cam_1", "cam_01")),
            "rig.toml, line 13: [cam_01] is camera 1, and so is [cam_1]");
  EXPECT_EQ(
      refusal(named("cam_0", "cam_1", "left")),
      "rig.toml, line 13: [cam_0] and [left] stand together, but cameras are all numbered, or "
      "none is");
}

TEST(RigForms, ColmapsPixelsBeginAtTheCorner) {
  const motion::RigFile file = exampleFile(2);
  EXPECT_NE(
      motion::colmapCameras(file).find("1 FULL_OPENCV 1280 1024 1000 1000 645.5 508.5 -0.12 0.05"),
      std::string::npos);
  EXPECT_NE(motion::colmapImages(file).find(" 2 cam_1\n"), std::string::npos);
}

}  // namespace
}  // namespace glint
