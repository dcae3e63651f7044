#include "app/motion/calibrate/corners_table.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "app/motion/calibrate/board_finder.h"
#include "config/error.h"

namespace glint {
namespace {

/// Returns random parts of a board at the times of a camera that takes 7 pictures a second.
motion::CameraViews partsOf(const motion::Board& board, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> across(0, 639), down(0, 479);
  motion::CameraViews camera{.size = {640, 480}, .interval = 1.0 / 7};
  for (int frame = 0; frame < 9; ++frame) {
    motion::BoardView view;
    view.markerSide = 29.5 + 0.1 * frame;
    for (size_t corner = 0; corner < board.count(); ++corner) {
      if (random() % 3 == 0) continue;
      view.which.push_back(corner);
      for (auto& corners : view.corners) corners.emplace_back(across(random), down(random));
    }
    if (view.seen()) camera.views[frame / 7.0 + 0.01 * seed] = view;
  }
  return camera;
}

class CornersTable : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "corners_" +
            testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::vector<motion::CameraViews> read(const std::string& text, const std::string& board,
                                        size_t sizes = 2) {
    std::ofstream(path_) << text;
    return motion::readCorners(path_, motion::parseBoard(board),
                               std::vector<motion::FrameExtent>(sizes, {640, 480}));
  }
  /// Returns the message that refuses a table with these rows.
  std::string refusal(const std::string& rows, const std::string& board = kCharuco) {
    try {
      read("camera,time_s,interval_s,marker_mm,corner,x4,y4,x5,y5,x6,y6,x7,y7,x8,y8\n" + rows,
           board);
    } catch (const Error& error) {
      const std::string what = error.what();
      return what.starts_with(path_) ? "PATH" + what.substr(path_.size()) : what;
    }
    return "taken";
  }

  static constexpr const char* kCharuco = "charuco:5x7:40mm:30mm:DICT_4X4_50";
  std::string path_;
};

TEST_F(CornersTable, ATableReadsBackAsTheSameViews) {
  const motion::Board board = motion::parseBoard(kCharuco);
  // The middle camera never saw the board.
  const std::vector<motion::CameraViews> written{
      partsOf(board, 1), {.size = {640, 480}, .interval = 0, .views = {}}, partsOf(board, 2)};
  const auto again = read(motion::cornersText(written), kCharuco, 3);
  ASSERT_EQ(again.size(), 3U);
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(again[c].interval, written[c].interval);
    EXPECT_EQ(again[c].size.width, 640);
    ASSERT_EQ(again[c].views.size(), written[c].views.size());
    for (const auto& [time, view] : written[c].views) {
      ASSERT_TRUE(again[c].views.contains(time));
      const motion::BoardView& other = again[c].views.at(time);
      EXPECT_EQ(other.which, view.which);
      EXPECT_EQ(other.markerSide, view.markerSide);
      EXPECT_EQ(other.corners, view.corners);
    }
  }
}

TEST_F(CornersTable, MomentsAreThoseOfTheRecordingWithAnyOffsets) {
  const motion::Board board = motion::parseBoard(kCharuco);
  const std::vector<motion::FrameExtent> sizes(2, {640, 480});
  motion::BoardViews kept(board, sizes);
  const std::map<size_t, double> offsets{{1, -0.9}};
  motion::BoardViews shifted(board, sizes, offsets);
  for (motion::BoardViews* views : {&kept, &shifted})
    for (size_t c = 0; c < 2; ++c)
      for (const auto& [time, view] : partsOf(board, static_cast<unsigned>(c + 1)).views) {
        views->due(c, time + 0.9 * static_cast<double>(c));
        views->add(c, time + 0.9 * static_cast<double>(c), view, {});
      }
  const auto again = read(motion::cornersText(kept.seen()), kCharuco);
  for (const auto& [expected, found] :
       {std::pair{kept.recording(), motion::matchViews(again, {})},
        std::pair{shifted.recording(), motion::matchViews(again, offsets)}}) {
    ASSERT_EQ(found.moments.size(), expected.moments.size());
    for (size_t m = 0; m < found.moments.size(); ++m) {
      EXPECT_EQ(found.moments[m].time, expected.moments[m].time);
      for (size_t c = 0; c < 2; ++c)
        EXPECT_EQ(found.moments[m].views[c].which, expected.moments[m].views[c].which);
    }
  }
  // The second camera began 0.9 s later. Only with its offset do most moments have both cameras.
  EXPECT_GT(kept.recording().moments.size(), shifted.recording().moments.size());
}

TEST_F(CornersTable, BadTablesAreRefusedInASentence) {
  const std::string places = ",1,1,1,1,1,1,1,1,1,1\n";
  EXPECT_EQ(refusal("0,0.5,0.1,30,23" + places), "taken");
  EXPECT_EQ(refusal(""), "PATH has no corners of a board");
  EXPECT_EQ(refusal("0,0.5,0.1,30,24" + places), "PATH, line 2: \"24\" is not a valid corner");
  EXPECT_EQ(refusal("0,0.5,0.1,30,3" + places + "0,0.5,0.1,30,3" + places),
            "PATH, line 3: \"3\" is not a valid corner");
  EXPECT_EQ(refusal("99,0.5,0.1,30,3" + places), "PATH, line 2: \"99\" is not a valid camera");
  EXPECT_EQ(refusal("2,0.5,0.1,30,3" + places),
            "PATH has corners of camera 2, but --size is given for 2 cameras");
  EXPECT_EQ(refusal("0,0.5,-1,30,3" + places), "PATH, line 2: \"-1\" is not a valid interval_s");
  EXPECT_EQ(refusal("0,0.5,0,-3,3" + places), "PATH, line 2: \"-3\" is not a valid marker_mm");
  EXPECT_EQ(refusal("0,nan,0,30,3" + places), "PATH, line 2: \"nan\" is not a valid time_s");
  EXPECT_EQ(refusal("0,0.5,0,30,3,1,1,1,1,1,1,1,1,1,481\n"),
            "PATH, line 2: \"481\" is not a valid y8");
  EXPECT_EQ(refusal("1,0.5,0,0,3" + places, "chessboard:9x6:25mm"),
            "PATH: camera 1 has 1 corners at 0.5 s, but the chessboard has 54");
}

}  // namespace
}  // namespace glint
