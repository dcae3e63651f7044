// Tests the part of a recording that a timeline shows.
#include <random>

#include <gtest/gtest.h>

#include "app/shell/desk/timeline.h"

namespace glint {
namespace {

using Range = shell::TimeZoom::Range;

TEST(TimeZooms, ShowTheWholeAtFirst) {
  const shell::TimeZoom zoom;
  EXPECT_EQ(zoom.range(299), (Range{0, 299}));
  EXPECT_EQ(zoom.range(0), (Range{0, 0}));
  EXPECT_FALSE(zoom.zoomed());
}

TEST(TimeZooms, KeepTheFrameUnderTheCursor) {
  shell::TimeZoom zoom;
  zoom.zoomBy(2, 100, 200);
  EXPECT_EQ(zoom.range(200), (Range{50, 150}));
  zoom.zoomBy(2, 50, 200);
  EXPECT_EQ(zoom.range(200), (Range{50, 100}));
  zoom.zoomBy(0.25, 50, 200);
  EXPECT_FALSE(zoom.zoomed());
}

TEST(TimeZooms, StayWithinTheRecording) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> factor(0.3, 3), about(0, 300), by(-500, 500);
  shell::TimeZoom zoom;
  for (int i = 0; i < 2000; ++i) {
    zoom.zoomBy(factor(random), about(random), 299);
    zoom.moveBy(by(random), 299);
    const Range range = zoom.range(299);
    ASSERT_LT(range.first, range.last);
    ASSERT_LE(range.last, 299);
    ASSERT_GE(range.last - range.first, 8);
  }
  zoom.zoomBy(1e9, 5, 4);  // A timeline never shows so few frames.
  EXPECT_EQ(zoom.range(4), (Range{0, 4}));
}

TEST(TimeZooms, FollowWhatIsShown) {
  shell::TimeZoom zoom;
  zoom.follow(250, 1000);
  EXPECT_FALSE(zoom.zoomed());
  zoom.zoomBy(10, 0, 1000);
  EXPECT_EQ(zoom.range(1000), (Range{0, 100}));
  zoom.follow(100, 1000);
  EXPECT_EQ(zoom.range(1000), (Range{0, 100}));
  zoom.follow(101, 1000);
  EXPECT_EQ(zoom.range(1000), (Range{91, 191}));
  zoom.follow(1000, 1000);
  EXPECT_EQ(zoom.range(1000), (Range{900, 1000}));
  zoom.reset();
  EXPECT_EQ(zoom.range(1000), (Range{0, 1000}));
}

}  // namespace
}  // namespace glint
