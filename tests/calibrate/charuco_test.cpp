#include "app/motion/calibrate/charuco.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <opencv2/aruco/charuco.hpp>
#include <opencv2/imgproc.hpp>

#include "app/capture/synth/scene.h"
#include "app/motion/calibrate/board_finder.h"
#include "app/motion/calibrate/board_picture.h"
#include "app/motion/calibrate/board_solve.h"
#include "app/motion/calibrate/board_views.h"
#include "app/motion/calibrate/doubts.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr motion::FrameExtent kSize{640, 480};

/// Returns a picture of the board, seen from straight ahead. A square is `pixels` wide, and the
/// first inner corner lies at (x, y). Each pixel is the mean of 16 samples.
cv::Mat printed(const motion::Board& board, double pixels, double x, double y) {
  const motion::BoardPicture picture(board);
  cv::Mat image(kSize.height, kSize.width, CV_8U);
  const double mm = board.square / pixels;
  for (int v = 0; v < image.rows; ++v)
    for (int u = 0; u < image.cols; ++u) {
      int white = 0;
      for (int k = 0; k < 16; ++k)
        white += picture.white((u - x + (k % 4 + 0.5) / 4 - 0.5) * mm,
                               (v - y + (k / 4 + 0.5) / 4 - 0.5) * mm);
      image.at<uint8_t>(v, u) = static_cast<uint8_t>(20 + 200 * white / 16);
    }
  return image;
}

TEST(Charuco, NamesAreReadAndOthersRefused) {
  const motion::Board board = motion::parseBoard("charuco:5x7:40mm:30mm:DICT_4X4_50");
  EXPECT_TRUE(board.charuco());
  EXPECT_EQ(board.count(), 24U);
  EXPECT_EQ(motion::markerCount(board), 17U);
  EXPECT_EQ(board.marker, 30);
  for (const char* bad :
       {"charuco", "charuco:5x7", "charuco:5x7:40mm", "charuco:5x7:40mm:30mm",
        "charuco:5x7:40mm:30mm:X", "charuco:5x7:40mm:30mm:DICT_4X4_50 ",
        "charuco:5x7:40mm:40mm:DICT_4X4_50", "charuco:5x7:40mm:0mm:DICT_4X4_50",
        "charuco:3x7:40mm:30mm:DICT_4X4_50", "charuco:11x11:40mm:30mm:DICT_4X4_50"})
    EXPECT_THROW(motion::parseBoard(bad), UsageError) << bad;
}

TEST(Charuco, CornersAreFoundAndAlsoThoseOfAPart) {
  const motion::Board board = motion::parseBoard("charuco:5x7:40mm:30mm:DICT_4X4_50");
  cv::Mat image = printed(board, 50, 200.25, 120.75);
  const auto check = [&](size_t least, size_t most) {
    const motion::BoardView view = motion::findBoard(board, kSize, image.data);
    EXPECT_GE(view.which.size(), least);
    EXPECT_LE(view.which.size(), most);
    for (const auto& corners : view.corners)
      for (size_t i = 0; i < view.which.size(); ++i) {
        const auto index = static_cast<double>(view.which[i] % 4),
                   row = static_cast<double>(view.which[i] / 4);
        EXPECT_NEAR(corners[i].x(), 200.25 + 50 * index, 0.1);
        EXPECT_NEAR(corners[i].y(), 120.75 + 50 * row, 0.1);
      }
  };
  check(24, 24);
  cv::bitwise_not(image, image);  // A board that is printed in white on black.
  check(24, 24);
  cv::bitwise_not(image, image);
  image.colRange(0, 245).setTo(20);  // A hand hides the left half of the board.
  check(12, 12);
  image.rowRange(0, 350).setTo(20);
  EXPECT_FALSE(motion::findBoard(board, kSize, image.data).seen());
}

TEST(Charuco, MarkersOfAnotherSizeAreTold) {
  const cv::Mat image =
      printed(motion::parseBoard("charuco:5x7:40mm:30mm:DICT_4X4_50"), 50, 200.25, 120.75);
  const auto doubt = [&](const std::string& name) {
    const motion::Board board = motion::parseBoard(name);
    motion::BoardView view = motion::findBoard(board, kSize, image.data);
    EXPECT_NEAR(view.markerSide, 0.75 * board.square, 0.02 * board.square) << name;
    return motion::doubtOfMarkers({.sizes = {kSize}, .moments = {{0, {std::move(view)}}}}, board);
  };
  EXPECT_FALSE(doubt("charuco:5x7:40mm:30mm:DICT_4X4_50"));
  // The scale of the whole board cannot be seen.
  EXPECT_FALSE(doubt("charuco:5x7:20mm:15mm:DICT_4X4_50"));
  const auto other = doubt("charuco:5x7:40mm:26mm:DICT_4X4_50");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->mend, "measure the board");
  // If the stated markers are much smaller than the real ones, no corner is where it should be.
  EXPECT_EQ(motion::charucoDoubt(motion::parseBoard("charuco:5x7:40mm:20mm:DICT_4X4_50"),
                                 std::vector{image}),
            "its markers are about 30 mm wide beside squares of 40 mm, not 20");
}

/// OpenCV draws the board with its own function.
TEST(Charuco, OpenCvDrawsTheSameBoard) {
  for (const int rows : {6, 7}) {
    const motion::Board board =
        motion::parseBoard("charuco:5x" + std::to_string(rows) + ":40mm:30mm:DICT_4X4_50");
    const auto opencv = cv::aruco::CharucoBoard::create(
        5, rows, 40, 30, cv::aruco::getPredefinedDictionary(cv::aruco::DICT_4X4_50));
    cv::Mat drawn, image(kSize.height, kSize.width, CV_8U, cv::Scalar(255));
    opencv->draw({250, 50 * rows}, drawn);
    drawn.copyTo(image(cv::Rect(100, 60, 250, 50 * rows)));
    const motion::BoardView view = motion::findBoard(board, kSize, image.data);
    ASSERT_EQ(view.which.size(), board.count()) << rows;
    for (size_t i = 0; i < view.which.size(); ++i) {
      const Eigen::Vector2d at(149.5 + 50 * static_cast<double>(i % 4),
                               109.5 + 50 * static_cast<double>(i / 4));
      EXPECT_LT((view.corners[0][i] - at).norm(), 0.1) << rows << " " << i;
    }
  }
}

/// OpenCV before version 4.6 began boards with an even number of rows with a white square.
TEST(Charuco, BothLayoutsOfEvenRowsAreTold) {
  const motion::Board board = motion::parseBoard("charuco:5x6:40mm:30mm:DICT_4X4_50");
  cv::Mat image(kSize.height, kSize.width, CV_8U, cv::Scalar(255));
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 5; ++column)
      if ((row + column) % 2 == 1)
        image(cv::Rect(100 + 50 * column, 60 + 50 * row, 50, 50)).setTo(0);
  for (size_t i = 0; i < motion::markerCount(board); ++i) {
    const cv::Point square = motion::markerSquare(board, i, true);
    cv::Mat marker;
    cv::resize(motion::markerBits(board.dictionary, i), marker, {36, 36}, 0, 0, cv::INTER_NEAREST);
    marker.copyTo(image(cv::Rect(107 + 50 * square.x, 67 + 50 * square.y, 36, 36)));
  }
  const motion::BoardView view = motion::findBoard(board, kSize, image.data);
  ASSERT_EQ(view.which.size(), board.count());
  EXPECT_LT((view.corners[0].back() - Eigen::Vector2d(299.5, 309.5)).norm(), 0.1);
}

TEST(Charuco, WhatIsNotTheBoardIsSaid) {
  const cv::Mat image =
      printed(motion::parseBoard("charuco:5x7:40mm:30mm:DICT_4X4_50"), 50, 200.25, 120.75);
  const auto doubt = [&](const std::string& name, const cv::Mat& seen) {
    return motion::charucoDoubt(motion::parseBoard(name), std::vector{seen});
  };
  cv::Mat flipped;
  cv::flip(image, flipped, 1);
  EXPECT_NE(doubt("charuco:5x7:40mm:30mm:DICT_4X4_50", flipped).find("mirrored"),
            std::string::npos);
  EXPECT_NE(doubt("charuco:5x7:40mm:30mm:DICT_5X5_50", image).find("of DICT_4X4_50 are seen"),
            std::string::npos);
  EXPECT_NE(doubt("charuco:5x5:40mm:30mm:DICT_4X4_50", image).find("numbered 16"),
            std::string::npos);
  EXPECT_NE(doubt("charuco:7x5:40mm:30mm:DICT_4X4_50", image).find("do not lie"),
            std::string::npos);
  EXPECT_EQ(doubt("charuco:5x7:40mm:30mm:DICT_4X4_50", image), "");
  EXPECT_EQ(doubt("charuco:5x7:40mm:30mm:DICT_4X4_50", cv::Mat(480, 640, CV_8U, cv::Scalar(90))),
            "");
}

/// The cameras see parts of the board in most frames. The result is compared with the truth of the
/// scene.
TEST(Charuco, CamerasOfASceneAreFoundFromPartsOfTheBoard) {
  constexpr int kCameras = 3;
  capture::SynthOptions options(capture::SynthScene::board);
  options.cameras = kCameras;
  options.frames = 40;
  const motion::Board board = motion::parseBoard("charuco:5x7:40mm:30mm:DICT_4X4_50");
  motion::BoardViews views(board, std::vector<motion::FrameExtent>(kCameras, kSize));
  motion::Rig truth;
  size_t parts = 0, wholes = 0;
  std::vector<double> off;
  for (options.camera = 0; options.camera < kCameras; ++options.camera) {
    const auto scene = capture::makeScene(options);
    truth.cameras.push_back(*scene->camera());
    std::vector<uint8_t> grey(scene->format().pixels());
    for (uint64_t frame = 0; frame < options.frames; ++frame) {
      scene->render(frame, {scene->format(), reinterpret_cast<std::byte*>(grey.data()), 640});
      const auto time = static_cast<double>(frame) / options.fps;
      const auto c = static_cast<size_t>(options.camera);
      views.due(c, time);
      const motion::BoardView view = motion::findBoard(board, kSize, grey.data());
      const auto corners = scene->truth(frame);
      for (size_t i = 0; i < view.which.size(); ++i) {
        const capture::TruthMarker& at = corners[view.which[i]];
        off.push_back((view.corners[0][i] - Eigen::Vector2d(at.x, at.y)).norm());
      }
      (view.which.size() == board.count() ? wholes : parts) += view.seen();
      views.add(c, time, view, grey);
    }
  }
  EXPECT_GT(parts, 10U);
  EXPECT_GT(wholes, 10U);
  std::sort(off.begin(), off.end());
  EXPECT_LT(off[off.size() * 98 / 100], 0.5);
  motion::CalibrationOptions calibration;
  calibration.terms = motion::LensTerms::none;
  const motion::Calibration found = motion::calibrateBoard(views.recording(), board, calibration);
  const motion::Rig expected = motion::moved(truth, truth.cameras[0].pose, 1);
  for (size_t c = 0; c < kCameras; ++c) {
    const motion::RigCamera &is = found.rig.cameras[c], &shall = expected.cameras[c];
    EXPECT_NEAR(is.lens.fx, shall.lens.fx, 4 * found.cameras[c].focalSigma) << c;
    EXPECT_LT(found.cameras[c].focalSigma, 2) << c;
    EXPECT_LT((is.pose.centre() - shall.pose.centre()).norm(), 3) << c;
    EXPECT_LT((is.pose.rotation - shall.pose.rotation).norm(), 0.003) << c;
  }
  EXPECT_LT(found.heldOut.rms, 0.3);
}

}  // namespace
}  // namespace glint
