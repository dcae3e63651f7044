// Tests frames that come twice, late, at odd times or not at all.
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/app/tracked_frames.h"

namespace glint {
namespace {

using test::at;
using test::Frames;
using test::makeTracker;
using test::trackFrames;

// Half of the frames are shown twice, as in a recording of 30 frames per second that is played at
// 60. Each marker goes on as if the second ones were absent.
TEST(Tracker, FramesShownTwiceSayNothingAboutMotion) {
  Frames frames;
  for (int f = 0; f < 40; ++f) {
    frames.push_back({at(100 + 9.0 * f), at(400 - 7.0 * f, 300)});
    frames.push_back(frames.back());
    for (motion::Observation& o : frames.back()) o.x += 0.003;
  }
  const std::vector<motion::TrackRow> rows = trackFrames(frames);
  ASSERT_EQ(rows.size(), 160u);
  for (const motion::TrackRow& row : rows) {
    EXPECT_EQ(row.track, row.y < 200 ? 1u : 2u);
    EXPECT_EQ(row.state, motion::TrackState::measured);
    if (row.frame > 20) {
      // The steps are 4.5 and 3.5 px per frame.
      EXPECT_NEAR(std::abs(row.vx), row.y < 200 ? 270 : 210, 5);
    }
  }
}

TEST(Tracker, IrregularTimesAreUsed) {
  // A marker moves at 600 px/s. Intervals vary from 5 to 45 ms, so steps are 3 to 27 px.
  std::mt19937 random(4);
  std::uniform_real_distribution<double> interval(0.005, 0.045);
  motion::Tracker tracker = makeTracker();
  double time = 0;
  std::vector<motion::TrackRow> rows;
  for (uint64_t f = 0; f < 200; ++f, time += interval(random)) {
    const std::vector<motion::Observation> seen{at(600 * time)};
    tracker.update(frameAt(f, time), seen);
  }
  tracker.finish();
  rows = tracker.takeFinalised();
  ASSERT_EQ(rows.size(), 200u);
  for (const motion::TrackRow& row : rows) {
    EXPECT_EQ(row.track, 1u);
    EXPECT_NEAR(row.vx, 600, 15);
  }
}

TEST(Tracker, TimesThatDoNotAdvanceCountAsUsualIntervals) {
  motion::Tracker tracker = makeTracker();
  for (uint64_t f = 0; f < 60; ++f) {
    double time = static_cast<double>(f) / 60;
    if (f % 10 == 5) time = static_cast<double>(f - 1) / 60;
    if (f % 10 == 7) time = std::numeric_limits<double>::quiet_NaN();
    const std::vector<motion::Observation> seen{at(100 + static_cast<double>(f))};
    tracker.update(frameAt(f, time), seen);
  }
  tracker.finish();
  const std::vector<motion::TrackRow> rows = tracker.takeFinalised();
  ASSERT_EQ(rows.size(), 60u);
  for (const motion::TrackRow& row : rows) EXPECT_EQ(row.track, 1u);
}

TEST(Tracker, DroppedFramesAndPausesCountAsGaps) {
  const auto tracksAcross = [](uint64_t frames, double seconds) {
    motion::Tracker tracker = makeTracker();
    for (uint64_t f = 0; f < 60; ++f) {
      const bool later = f >= 30;
      const double time = static_cast<double>(f) / 60 + (later ? seconds : 0);
      const std::vector<motion::Observation> seen{at(100 + 60 * time)};
      tracker.update(frameAt(f + (later ? frames : 0), time), seen);
    }
    tracker.finish();
    const std::vector<motion::TrackRow> rows = tracker.takeFinalised();
    EXPECT_EQ(rows.size(), 60u);
    return rows.back().track.value();
  };
  EXPECT_EQ(tracksAcross(5, 5.0 / 60), 1u);
  EXPECT_EQ(tracksAcross(0, 5.0 / 60), 1u);
  EXPECT_EQ(tracksAcross(500, 500.0 / 60), 2u);
  EXPECT_EQ(tracksAcross(0, 10), 2u);
}

// Frames that were dropped must not count against a track, however regularly they are dropped.
TEST(Tracker, SteadyDropsLoseNobody) {
  struct Pattern {
    const char* name;
    std::vector<int> steps;  // The intervals in units of the usual one, which are repeated.
    bool numbered;           // True if the frame numbers have gaps, too, as those of a camera.
  };
  const std::vector<Pattern> patterns{{"every second frame", {2}, true},
                                      {"every third frame", {3}, true},
                                      {"1, 1, 3", {1, 1, 3}, true},
                                      {"1, 1, 3 in time", {1, 1, 3}, false},
                                      {"1, 4 in time", {1, 4}, false},
                                      {"1, 2, 1, 5", {1, 2, 1, 5}, true},
                                      {"1, 1, 1, 1, 8", {1, 1, 1, 1, 8}, true},
                                      {"1, 3 in time", {1, 3}, false}};
  constexpr int kMarkers = 20, kFrames = 300;
  for (const Pattern& pattern : patterns) {
    SCOPED_TRACE(pattern.name);
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise(0, 0.05);
    motion::Tracker tracker = makeTracker();
    std::set<uint64_t> ids;
    size_t rows = 0, given = 0;
    int now = 0;
    for (int i = 0; i < kFrames; ++i) {
      std::vector<motion::Observation> seen;
      for (int m = 0; m < kMarkers; ++m) {
        if (random() % 50 == 0) continue;
        const double phase = now / 60.0 + m;
        seen.push_back(at(100 + 50 * (m % 5) + 15 * std::sin(phase) + noise(random),
                          100 + 50 * (m / 5) + 15 * std::cos(1.3 * phase) + noise(random)));
      }
      given += seen.size();
      tracker.update(frameAt(static_cast<uint64_t>(pattern.numbered ? now : i), now / 60.0), seen);
      if (i == kFrames - 1) tracker.finish();
      for (const motion::TrackRow& row : tracker.takeFinalised()) {
        ids.insert(row.track.value());
        rows += row.state == motion::TrackState::measured;
      }
      now += pattern.steps[static_cast<size_t>(i) % pattern.steps.size()];
    }
    EXPECT_LE(ids.size(), kMarkers + 1U);
    EXPECT_GE(rows, given - given / 100);
  }
}

}  // namespace
}  // namespace glint
