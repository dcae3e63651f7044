#include "app/motion/track/tracker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "config/error.h"
#include "tests/app/identity_cases.h"
#include "tests/app/tracked_frames.h"

namespace glint {
namespace {

using test::at;
using test::expectSame;
using test::Frames;
using test::makeTracker;
using test::Recording;
using test::simulate;
using test::steady;
using test::trackFrames;

TEST(Tracker, RowsStartAtTheFirstMeasurement) {
  const std::vector<motion::TrackRow> rows = trackFrames(steady("....xxxxxx"));
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows.front().frame, 4u);
  for (const motion::TrackRow& row : rows) {
    EXPECT_EQ(row.track, 1u);
    EXPECT_EQ(row.state, motion::TrackState::measured);
    EXPECT_DOUBLE_EQ(row.x, 100 + 3 * static_cast<double>(row.frame.value()));
    EXPECT_NEAR(row.vx, 180, 1);
    EXPECT_NEAR(row.vy, 0, 1);
  }
}

TEST(Tracker, UnconfirmedTracksLeaveNoRows) {
  EXPECT_TRUE(trackFrames(steady("xx........")).empty());
  EXPECT_TRUE(trackFrames(steady("x....x...x")).empty());
  Settings five;
  five.track.confirm = 5;
  EXPECT_TRUE(trackFrames(steady("xxxx......"), five).empty());
  EXPECT_EQ(trackFrames(steady("xxxxx....."), five).size(), 5u);
  EXPECT_EQ(trackFrames(steady("xxx.xx...."), five).size(), 6u);
  EXPECT_TRUE(trackFrames(steady("xx.x.xx..."), five).empty());
}

TEST(Tracker, ConfirmationAtTheFirstMeasurement) {
  Settings one;
  one.track.confirm = 1;
  EXPECT_EQ(trackFrames(steady("x"), one).size(), 1u);
  const std::vector<motion::TrackRow> rows = trackFrames(steady("xxxxxxxxxx"), one);
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows.back().track, 1u);
}

TEST(Tracker, GapsAreFilledBetweenTheirEnds) {
  const std::vector<motion::TrackRow> rows = trackFrames(steady("xxxxxxxxxx.....xxxxx"));
  ASSERT_EQ(rows.size(), 20u);
  for (size_t f = 0; f < rows.size(); ++f) {
    const motion::TrackRow& row = rows[f];
    EXPECT_EQ(row.frame, f);
    EXPECT_EQ(row.track, 1u);
    EXPECT_EQ(row.state,
              f < 10 || f >= 15 ? motion::TrackState::measured : motion::TrackState::predicted);
    EXPECT_NEAR(row.x, 100 + 3 * static_cast<double>(f), 0.1);
    EXPECT_NEAR(row.vx, 180, 3);
    EXPECT_DOUBLE_EQ(row.time, static_cast<double>(f) / 60);
  }
  // The position is least certain in the middle of the gap.
  EXPECT_GT(rows[12].seen.sigmaX, rows[10].seen.sigmaX);
  EXPECT_EQ(rows[12].seen.x, rows[9].seen.x);
}

TEST(Tracker, CoastingTailsAreDropped) {
  EXPECT_EQ(trackFrames(steady("xxxxxxxxxx.....")).size(), 10u);
  EXPECT_EQ(trackFrames(steady("xxxxxxxxxx" + std::string(40, '.'))).size(), 10u);
}

TEST(Tracker, CoastsForMaxGapFrames) {
  const std::string seen(30, 'x');
  for (const int gap : {0, 1, 6}) {
    Settings settings;
    settings.track.maxGap = gap;
    settings.track.stitchGap = 0;
    const size_t allowed = static_cast<size_t>(gap);
    for (const motion::TrackRow& row :
         trackFrames(steady(seen + std::string(allowed, '.') + seen), settings))
      EXPECT_EQ(row.track, 1u) << "gap " << gap;
    const auto longer = trackFrames(steady(seen + std::string(allowed + 1, '.') + seen), settings);
    EXPECT_EQ(longer.size(), 60u);
    EXPECT_EQ(longer.back().track, 2u) << "gap " << gap;
  }
}

TEST(Tracker, LiveShowsCoastingTracksAndPredictionsLookAhead) {
  motion::Tracker tracker = makeTracker();
  const Frames frames = steady("xxxxxxxx..");
  for (size_t f = 0; f < 8; ++f) tracker.update(frameAt(f, static_cast<double>(f) / 60), frames[f]);
  ASSERT_EQ(tracker.predictions().size(), 1u);
  EXPECT_NEAR(tracker.predictions()[0].x, 124, 0.1);
  const double radius = tracker.predictions()[0].radius;
  EXPECT_EQ(tracker.live().at(0).state, motion::TrackState::measured);
  tracker.update(frameAt(8, 8.0 / 60), frames[8]);
  ASSERT_EQ(tracker.live().size(), 1u);
  EXPECT_EQ(tracker.live()[0].state, motion::TrackState::predicted);
  EXPECT_EQ(tracker.live()[0].frame, 8u);
  EXPECT_NEAR(tracker.live()[0].x, 124, 0.1);
  EXPECT_GT(tracker.predictions().at(0).radius, radius);
  for (uint64_t f = 9; f < 60; ++f) tracker.update(frameAt(f, static_cast<double>(f) / 60), {});
  EXPECT_TRUE(tracker.live().empty());
  EXPECT_TRUE(tracker.predictions().empty());
}

// A marker is hidden for 60 frames, in which it turns. In the second run, its predicted places come
// from outside.
TEST(Tracker, AHeldTrackKeepsItsIdWithoutRowsBetween) {
  Settings settings;
  settings.track.stitchGap = 0;
  const auto x = [](uint64_t f) { return 100 + 40 * std::sin(0.1 * static_cast<double>(f)); };
  const auto run = [&](bool guided) {
    motion::Tracker tracker = makeTracker(settings);
    std::vector<motion::TrackRow> rows;
    for (uint64_t f = 0; f < 140; ++f) {
      const bool hidden = f >= 40 && f < 100;
      std::vector<motion::PredictedPlace> predictedPlaces;
      if (guided && f > 40 && f <= 100)
        predictedPlaces.push_back({TrackId(1), x(f) + 0.5, 100, 1, 1, 0, 0, 1e4, 1e4});
      tracker.update(frameAt(f, static_cast<double>(f) / 60),
                     hidden ? std::vector<motion::Observation>() : std::vector{at(x(f))},
                     predictedPlaces);
      if (guided && f == 80) {
        EXPECT_NEAR(tracker.live().at(0).x, x(f) + 0.5, 1e-9);
        EXPECT_EQ(tracker.live().at(0).state, motion::TrackState::predicted);
        EXPECT_EQ(tracker.predictions().size(), 1u);
      }
      for (const motion::TrackRow& row : tracker.takeFinalised()) rows.push_back(row);
    }
    tracker.finish();
    for (const motion::TrackRow& row : tracker.takeFinalised()) rows.push_back(row);
    return rows;
  };
  const auto alone = run(false), guided = run(true);
  ASSERT_EQ(alone.size(), 80u);
  ASSERT_EQ(guided.size(), 80u);
  EXPECT_EQ(alone.back().track, 2u);
  for (size_t i = 0; i < guided.size(); ++i) {
    EXPECT_EQ(guided[i].track, 1u);
    EXPECT_EQ(guided[i].frame, i < 40 ? i : i + 60);
    EXPECT_EQ(guided[i].state, motion::TrackState::measured);
  }
}

// Returns frames of markers and clutter. Some markers leave for good, and some for long.
Frames comingAndGoing() {
  Frames frames = simulate({.frames = 600, .clutter = 3}).frames;
  for (size_t f = 0; f < frames.size(); ++f) {
    if (f < 40) frames[f].push_back(at(-300, -300));
    if (f < 100 || f >= 400) frames[f].push_back(at(-100 + 0.01 * static_cast<double>(f), -200));
    if (f % 3 != 0) frames[f].push_back(at(-500, -500 + 0.01 * static_cast<double>(f)));
  }
  return frames;
}

// Whatever the settings are, a final row waits for at most RowOptions::maxHeldFrames frames.
TEST(Tracker, RowsThatAreFinalDoNotWaitForOthers) {
  const Frames frames = comingAndGoing();
  struct Case {
    int maxGap, confirm;
    double interval;  // The interval of frames, s.
    uint64_t held;    // The number of frames for which a row may wait.
  };
  for (const Case& c :
       {Case{15, 3, 1.0 / 60, 20}, Case{10000, 3, 1.0 / 60, motion::RowOptions().maxHeldFrames},
        Case{10000, 100, 1.0 / 60, motion::RowOptions().maxHeldFrames}, Case{10000, 3, 0.1, 7},
        Case{10000, 3, 60, 0}, Case{15, 40, 1.0 / 60, motion::RowOptions().maxHeldFrames}}) {
    SCOPED_TRACE(testing::Message()
                 << "gap " << c.maxGap << ", confirm " << c.confirm << ", " << c.interval << " s");
    Settings settings;
    settings.track.maxGap = c.maxGap;
    settings.track.confirm = c.confirm;
    motion::Tracker steady = makeTracker(settings), atOnce = makeTracker(settings);
    std::vector<motion::TrackRow> rows;
    std::map<TrackId, FrameNumber> reached;  // The last frame with a row, by track.
    std::set<std::pair<FrameNumber, TrackId>> written;
    const auto take = [&] {
      const std::vector<motion::TrackRow> settled = steady.takeFinalised();
      for (const motion::TrackRow& row : settled) {
        const auto [last, isNew] = reached.try_emplace(row.track, row.frame);
        EXPECT_TRUE(isNew || row.frame > last->second) << "the rows of one track go forward";
        last->second = row.frame;
        written.emplace(row.frame, row.track);
        rows.push_back(row);
      }
      const auto before = [](const motion::TrackRow& a, const motion::TrackRow& b) {
        return std::tie(a.frame, a.track) < std::tie(b.frame, b.track);
      };
      EXPECT_TRUE(std::is_sorted(settled.begin(), settled.end(), before));
    };
    // The measured live rows, and the frame in which each was seen.
    std::map<std::pair<FrameNumber, TrackId>, size_t> seen;
    for (size_t f = 0; f < frames.size(); ++f) {
      const double time = static_cast<double>(f) * c.interval;
      steady.update(frameAt(f, time), frames[f]);
      atOnce.update(frameAt(f, time), frames[f]);
      take();
      for (const motion::TrackRow& row : steady.live())
        if (row.state == motion::TrackState::measured)
          seen.emplace(std::pair(row.frame, row.track), f);
      for (const auto& [row, when] : seen) {
        if (row.first + c.held >= f) continue;
        EXPECT_TRUE(written.contains(row)) << "frame " << row.first << " at " << f;
      }
      std::erase_if(seen, [&](const auto& row) { return written.contains(row.first); });
      if (testing::Test::HasFailure()) return;
    }
    steady.finish();
    atOnce.finish();
    take();
    std::vector<motion::TrackRow> sorted = atOnce.takeFinalised();
    ASSERT_GT(sorted.size(), 1000U);
    std::sort(rows.begin(), rows.end(), [](const motion::TrackRow& a, const motion::TrackRow& b) {
      return std::tie(a.frame, a.track) < std::tie(b.frame, b.track);
    });
    expectSame(rows, sorted);
  }
}

// The history keeps only the frames that are still needed, however long a marker is waited for.
TEST(FrameHistory, HoldsWhatIsNeededOnly) {
  motion::FrameHistory history;
  EXPECT_EQ(history.firstWithin(5, 1), 0U);
  for (uint64_t f = 0; f < 100; ++f) history.add({frameAt(f, 0), static_cast<double>(f) / 10});
  EXPECT_EQ(history.firstWithin(5, 100), 94U);
  EXPECT_EQ(history.firstWithin(50, 0.55), 94U);
  EXPECT_EQ(history.firstWithin(50, 0), 99U);
  EXPECT_EQ(history.firstWithin(500, 100), 0U);
  std::vector<uint64_t> frames;
  for (const motion::Stamp& stamp : history.between(FrameNumber(10), FrameNumber(14)))
    frames.push_back(stamp.frame.value());
  EXPECT_EQ(frames, (std::vector<uint64_t>{11, 12, 13}));
  history.forgetBefore(FrameNumber(90));
  EXPECT_EQ(history.size(), 10U);
  EXPECT_TRUE(history.between(FrameNumber(10), FrameNumber(14)).empty());
}

TEST(Tracker, SettledRowsComeInOrderAndInTime) {
  const Recording recording = simulate({.frames = 300, .clutter = 5});
  const Settings settings;
  motion::Tracker tracker = makeTracker(settings);
  FrameNumber lastFrame;
  TrackId lastTrack;
  for (size_t f = 0; f < recording.frames.size(); ++f) {
    tracker.update(frameAt(f, static_cast<double>(f) / 60), recording.frames[f]);
    for (const motion::TrackRow& row : tracker.takeFinalised()) {
      EXPECT_TRUE(row.frame > lastFrame || (row.frame == lastFrame && row.track > lastTrack));
      EXPECT_LE(f - row.frame.value(),
                static_cast<size_t>(settings.track.maxGap + settings.track.confirm + 2));
      lastFrame = row.frame;
      lastTrack = row.track;
    }
  }
  EXPECT_GT(lastFrame, 270u);
}

TEST(Tracker, IdsAreNeverReused) {
  // A marker comes and goes, each time at another place. Two cameras share the numbers.
  const auto ids = std::make_shared<motion::TrackIds>();
  motion::Tracker left = makeTracker({}, ids), right = makeTracker({}, ids);
  std::vector<uint64_t> order;
  std::set<uint64_t> finished;
  for (uint64_t f = 0; f < 400; ++f) {
    const std::vector<motion::Observation> seen{at(static_cast<double>(f / 40 * 200))};
    const std::span<const motion::Observation> shown =
        f % 40 < 10 ? std::span(seen) : std::span(seen).first(0);
    left.update(frameAt(f, static_cast<double>(f)), shown);
    right.update(frameAt(f, static_cast<double>(f)), shown);
    for (motion::Tracker* tracker : {&left, &right})
      for (const motion::TrackRow& row : tracker->takeFinalised())
        if (order.empty() ||
            std::find(order.begin(), order.end(), row.track.value()) == order.end())
          order.push_back(row.track.value());
  }
  ASSERT_EQ(order.size(), 20u);
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i + 1);  // No id is left out.
}

TEST(Tracker, SameInputSameRows) {
  const Recording recording = simulate({.frames = 200, .clutter = 10, .mergeDistance = 6});
  const std::vector<motion::TrackRow> rows = trackFrames(recording.frames);
  ASSERT_GT(rows.size(), 5000u);
  expectSame(rows, trackFrames(recording.frames));
  Frames shuffled = recording.frames;
  std::mt19937 random(3);
  for (auto& frame : shuffled) std::shuffle(frame.begin(), frame.end(), random);
  expectSame(rows, trackFrames(shuffled));
}

TEST(Tracker, EmptyInputs) {
  EXPECT_TRUE(trackFrames(Frames(100)).empty());
  EXPECT_TRUE(trackFrames({}).empty());
  EXPECT_TRUE(trackFrames({{at(5)}}).empty());
  motion::Tracker untouched = makeTracker();
  EXPECT_TRUE(untouched.live().empty());
  EXPECT_TRUE(untouched.predictions().empty());
  EXPECT_TRUE(untouched.takeFinalised().empty());
}

TEST(Tracker, TwoIdenticalObservationsAreTwoTracks) {
  const std::vector<motion::TrackRow> rows = trackFrames(Frames(10, {at(50), at(50)}));
  ASSERT_EQ(rows.size(), 20u);
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].track, i % 2 + 1);
}

TEST(Tracker, ObservationsThatAreNoNumbersAreIgnored) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  Frames plain = steady("xxxxxxxxxx"), spoilt = plain;
  for (auto& frame : spoilt) {
    frame.push_back(at(nan, 100));
    frame.push_back(at(100, -infinite));
  }
  expectSame(trackFrames(plain), trackFrames(spoilt));
  for (auto& frame : plain) {  // Unknown qualities do not matter.
    frame[0].sigmaX = nan;
    frame[0].sigmaY = 0;
    frame[0].mass = nan;
    frame[0].radius = 0;
  }
  EXPECT_EQ(trackFrames(plain).size(), 10u);
}

/// Returns the light of a single pixel, whose fitted position is uncertain by 0.1 px.
motion::Observation pixelAt(double x, int frame) {
  motion::Observation seen = at(x + 0.1 * (frame % 3 - 1));
  seen.radius = 0.55 + 0.05 * (frame % 2);
  return seen;
}

TEST(Tracker, ASinglePixelThatNeverMovesIsNoMarker) {
  Frames frames = steady("xxxxxxxxxxxxxxxxxxxx");
  const auto alone = trackFrames(frames);
  for (int n = 0; n < 20; ++n) frames[static_cast<size_t>(n)].push_back(pixelAt(300, n));
  expectSame(trackFrames(frames), alone);
  Frames moves(20), blurred(20);
  for (int n = 0; n < 20; ++n) {
    moves[static_cast<size_t>(n)] = {pixelAt(n < 10 ? 300 : 300 + 0.5 * (n - 9), n)};
    blurred[static_cast<size_t>(n)] = {pixelAt(300, n)};
    blurred[static_cast<size_t>(n)][0].radius = 1;
  }
  EXPECT_EQ(trackFrames(blurred).size(), 20U) << "light in several pixels";
  const auto rows = trackFrames(moves);
  ASSERT_GE(rows.size(), 10U) << "it moves, after all";
  EXPECT_LE(rows.size(), 13U) << "and begins not long before";
  Settings once;
  once.track.confirm = 1;
  EXPECT_EQ(trackFrames(frames, once).size(), 40U) << "a single frame tells nothing about motion";
}

// The pixel is hardly above the noise, so now and then its fit is that of a marker.
TEST(Tracker, AFaintSinglePixelIsNoMarker) {
  Frames frames(60), blurred(60);
  for (int n = 0; n < 60; ++n) {
    motion::Observation seen = pixelAt(300, n);
    seen.radius = 0.8 + 0.15 * (n % 4 == 2);
    frames[static_cast<size_t>(n)] = {seen};
    seen.radius = 1 + 0.15 * (n % 3 - 1);
    blurred[static_cast<size_t>(n)] = {seen};
  }
  EXPECT_TRUE(trackFrames(frames).empty());
  EXPECT_EQ(trackFrames(blurred).size(), 60U) << "a small marker at rest, mostly above 0.9 px";
}

TEST(Tracker, ASharpMarkerThatStepsNowAndThenIsAMarker) {
  Frames frames(60);
  for (int n = 0; n < 60; ++n) frames[static_cast<size_t>(n)] = {pixelAt(100 + 5.0 * (n / 3), n)};
  EXPECT_GT(trackFrames(frames).size(), 40U);
}

// Forty pixels are bright in one frame of three each. They must be counted as hot pixels, although
// no track joins their observations.
TEST(Tracker, HotPixelsThatFlickerAreKnownAgain) {
  std::mt19937 random(7);
  const auto draw = [&](unsigned most) { return static_cast<double>(random() % most); };
  std::vector<std::pair<double, double>> places;
  for (int p = 0; p < 40; ++p) {
    const double x = draw(640);
    places.emplace_back(x, draw(480));
  }
  motion::Tracker tracker = makeTracker();
  uint64_t seen = 0;
  for (uint64_t f = 0; f < 400; ++f) {
    std::vector<motion::Observation> frame{at(100 + static_cast<double>(f) / 2)};
    for (const auto& [x, y] : places) {
      if (random() % 3 > 0) continue;
      motion::Observation pixel = pixelAt(x, static_cast<int>(f));
      pixel.y = y;
      pixel.radius = 0.75 + 0.01 * draw(20);
      frame.push_back(pixel);
      ++seen;
    }
    tracker.update(frameAt(f, static_cast<double>(f) / 30), frame);
  }
  tracker.finish();
  for (const motion::TrackRow& row : tracker.takeFinalised()) EXPECT_EQ(row.track, 1U);
  const motion::Untracked& left = tracker.untracked();
  EXPECT_EQ(left.observations + left.ofHotPixels, seen);
  EXPECT_LE(left.observations, seen / 200);
}

// Small sharp lights appear anywhere, and now and then two of them in the same place.
TEST(Tracker, SharpMarkersThatFlashAreNoHotPixels) {
  std::mt19937 random(3);
  motion::Tracker tracker = makeTracker();
  for (uint64_t f = 0; f < 400; ++f) {
    std::vector<motion::Observation> frame;
    for (int p = 0; p < 60; ++p) {
      motion::Observation spark = at(static_cast<double>(random() % 6400) / 10);
      spark.y = static_cast<double>(random() % 4800) / 10;
      spark.radius = 0.7;
      frame.push_back(spark);
    }
    tracker.update(frameAt(f, static_cast<double>(f) / 30), frame);
  }
  tracker.finish();
  EXPECT_LE(tracker.untracked().ofHotPixels, 120U) << "of 24000 sparks";
}

TEST(Tracker, FramesMustGoForward) {
  motion::Tracker tracker = makeTracker();
  tracker.update(frameAt(5, 0), {});
  EXPECT_THROW(tracker.update(frameAt(5, 1), {}), Error);
  EXPECT_THROW(tracker.update(frameAt(4, 1), {}), Error);
  tracker.update(frameAt(6, 1), {});
}

}  // namespace
}  // namespace glint
