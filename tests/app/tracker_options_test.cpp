// Tests the tracker's options: each test changes one of them and shows the effect that its
// documentation promises.
#include "app/motion/track/tracker_options.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "app/motion/track/companions.h"
#include "app/motion/track/marker_motion.h"
#include "app/motion/track/repeated_frames.h"
#include "app/motion/track/scene_statistics.h"
#include "app/motion/track/stitcher.h"
#include "app/motion/track/tracker.h"
#include "tests/app/tracked_frames.h"
#include "tests/numbers.h"

namespace glint {
namespace {

using test::at;
using test::Frames;
using test::makeTracker;
using test::steady;
using test::trackFrames;

size_t countIds(const std::vector<motion::TrackRow>& rows) {
  std::set<uint64_t> ids;
  for (const motion::TrackRow& row : rows) ids.insert(row.track.value());
  return ids.size();
}

// Returns a frame for each x, with one marker there.
Frames markerAt(const std::vector<double>& places) {
  Frames frames;
  for (const double x : places) frames.push_back({at(x)});
  return frames;
}

TEST(TrackerOptions, LeastAgilityWidensThePredictionOfAHiddenMarkerAtRest) {
  const auto sigmaAfterGap = [](double minAgility) {
    motion::TrackerOptions options;
    options.motion.minAgility = minAgility;
    motion::Tracker tracker = makeTracker({}, std::make_shared<motion::TrackIds>(), options);
    for (uint64_t f = 0; f < 315; ++f) {
      const std::vector<motion::Observation> seen =
          f < 300 ? std::vector{at(100)} : std::vector<motion::Observation>();
      tracker.update(frameAt(f, static_cast<double>(f) / 60), seen);
    }
    return tracker.live().at(0).seen.sigmaX;
  };
  // The documentation states this value.
  EXPECT_NEAR(sigmaAfterGap(motion::MotionOptions().minAgility), 0.5, 0.2);
  EXPECT_GT(sigmaAfterGap(1e-2), 2 * sigmaAfterGap(1e-4));
}

TEST(TrackerOptions, SettledGateForgivesASingleStep) {
  // A marker that has rested for 100 frames makes one step of 0.8 px and stays there, but for
  // some noise.
  const auto restsAfterStep = [](double settledGate) {
    const Settings settings;
    motion::TrackerOptions options;
    options.motion.settledGate = settledGate;
    const motion::Stamp now;
    const motion::FrameHistory frames;
    const motion::FrameContext context{settings.track, options, now, frames, 1.0 / 60, {}};
    motion::MarkerMotion motion;
    motion.begin(at(100), 100, options.matching);
    motion::Observation last = at(100);
    for (int f = 1; f < 102; ++f) {
      const motion::Observation seen = at(f < 100 ? 100 : f == 100 ? 100.8 : 100.85);
      motion.predict(context.interval, true, context);
      motion.measure(seen, last, context);
      last = seen;
      if (f == 100) {
        EXPECT_FALSE(motion.isAtRest(options.motion));
      }
    }
    return motion.isAtRest(options.motion);
  };
  EXPECT_TRUE(restsAfterStep(motion::MotionOptions().settledGate));
  EXPECT_FALSE(restsAfterStep(0));
}

TEST(TrackerOptions, NewMarkerCostKeepsTracksWithDistantMeasurements) {
  // A marker at rest reappears half a pixel aside after 8 frames.
  Frames frames = markerAt(std::vector<double>(300, 100));
  frames.resize(308);
  for (int n = 0; n < 20; ++n) frames.push_back({at(100.5)});
  Settings settings;
  settings.track.stitchGap = 0;
  motion::TrackerOptions options;
  options.jumps.minShare = 1;  // Jumps are switched off.
  // Adoption is switched off, which would give the id back.
  options.adoption.unrelatedCost = -1000;
  EXPECT_EQ(countIds(trackFrames(frames, settings, options)), 1U);
  options.matching.newMarkerCost = -10;
  EXPECT_EQ(countIds(trackFrames(frames, settings, options)), 2U);
}

TEST(TrackerOptions, OtherMassCostLetsNoFaintLightTakeATrack) {
  // In one frame, the marker is replaced by light of a twentieth of its mass.
  Frames frames = markerAt(std::vector<double>(40, 100));
  frames[20][0].mass /= 20;
  const auto isTaken = [&](double otherMassCost) {
    motion::TrackerOptions options;
    options.jumps.minShare = 1;  // Otherwise the light would be joined as a jump.
    options.matching.otherMassCost = otherMassCost;
    for (const motion::TrackRow& row : trackFrames(frames, {}, options))
      if (row.frame == 20) return row.state == motion::TrackState::measured;
    return false;
  };
  EXPECT_FALSE(isTaken(1));
  EXPECT_TRUE(isTaken(100));
}

TEST(TrackerOptions, TentativeMissesConfirmMarkersThatAreOftenMissed) {
  Settings settings;
  settings.track.confirm = 5;
  motion::TrackerOptions options;
  EXPECT_TRUE(trackFrames(steady("xxx..xx..."), settings, options).empty());
  options.confirmation.tentativeMisses = 2;
  EXPECT_EQ(trackFrames(steady("xxx..xx..."), settings, options).size(), 7U);
}

TEST(TrackerOptions, CreditEndsYoungTracksEarlier) {
  Settings settings;
  settings.track.stitchGap = 0;
  motion::TrackerOptions options;
  // Adoption is switched off, which would give the id back.
  options.adoption.unrelatedCost = -1000;
  const Frames frames = steady("xxxxx....xxxxx");
  EXPECT_EQ(countIds(trackFrames(frames, settings, options)), 1U);
  options.confirmation.creditPerMeasurement = 1;
  EXPECT_EQ(countIds(trackFrames(frames, settings, options)), 2U);
}

TEST(TrackerOptions, HotPixelsAreNoLargerThanTheLimit) {
  Frames frames = markerAt(std::vector<double>(20, 100));
  for (std::vector<motion::Observation>& seen : frames) seen[0].radius = 0.8;
  motion::TrackerOptions options;
  EXPECT_TRUE(trackFrames(frames, {}, options).empty());
  options.hotPixels.maxMeanRadius = 0.7;
  EXPECT_EQ(trackFrames(frames, {}, options).size(), 20U);
}

TEST(TrackerOptions, TurnCostRefusesAdoptions) {
  // A lone marker turns back while it is hidden for 5 frames.
  Frames frames;
  for (int f = 0; f < 80; ++f) {
    frames.emplace_back();
    if (f < 40 || f >= 45) frames.back().push_back(at(100 + 8.0 * (f < 42 ? f : 84 - f)));
  }
  Settings settings;
  settings.track.stitchGap = 0;
  motion::TrackerOptions options;
  EXPECT_EQ(countIds(trackFrames(frames, settings, options)), 1U);
  options.adoption.turnCost = 100;
  EXPECT_EQ(countIds(trackFrames(frames, settings, options)), 2U);
}

TEST(TrackerOptions, MinShareLeavesJumpsToAdoption) {
  // A lone marker jumps by 70 px every ten frames.
  Frames frames;
  for (int f = 0; f < 60; ++f) frames.push_back({at(100 + 70.0 * (f / 10 % 2))});
  Settings settings;
  settings.track.stitchGap = 0;
  motion::TrackerOptions options;
  EXPECT_EQ(countIds(trackFrames(frames, settings, options)), 1U);
  options.jumps.minShare = 1;
  options.adoption.unrelatedCost = -1000;
  EXPECT_GT(countIds(trackFrames(frames, settings, options)), 1U);
}

TEST(TrackerOptions, RepeatsAreCountedUpToTheLimit) {
  const std::vector<motion::Observation> one{at(100)}, two{at(105)};
  const auto repeatsInARow = [&](int most) {
    motion::RepeatOptions options;
    options.maxRepeats = most;
    motion::RepeatedFrames frames(options);
    frames.repeats(one);
    frames.learn({});
    frames.repeats(two);
    frames.learn({5.0});
    int count = 0;
    while (frames.repeats(two)) ++count;
    return count;
  };
  EXPECT_EQ(repeatsInARow(5), 5);
  EXPECT_EQ(repeatsInARow(2), 2);
}

TEST(TrackerOptions, MinMotionKeepsSlowScenesFromRepeating) {
  motion::RepeatOptions options;
  options.minMotion = 10;
  motion::RepeatedFrames frames(options);
  const std::vector<motion::Observation> seen{at(100)};
  frames.repeats(seen);
  frames.learn({5.0});
  EXPECT_FALSE(frames.repeats(seen));
}

TEST(TrackerOptions, SceneStatisticsStartWithTheirPrior) {
  motion::SceneOptions options;
  options.priorJumps = 3;
  options.priorSightings = 4;
  options.minSide = 10;
  motion::SceneStatistics scene(options);
  EXPECT_EQ(scene.jumps(), 3);
  EXPECT_EQ(scene.sightings(), 4);
  EXPECT_EQ(scene.area(), 100);
  scene.widen(std::vector{at(0, 0), at(100, 5)});
  EXPECT_EQ(scene.area(), 1000);
}

TEST(TrackerOptions, OddsOfStitching) {
  // A resting marker reappears 4 px aside after a long gap.
  Frames frames = markerAt(std::vector<double>(40, 100));
  frames.resize(100);
  for (int n = 0; n < 40; ++n) frames.push_back({at(104)});
  motion::TrackerOptions options;
  EXPECT_EQ(countIds(trackFrames(frames, {}, options)), 1U);
  options.stitching.oddsOfMotion = 1e9;
  EXPECT_EQ(countIds(trackFrames(frames, {}, options)), 2U);
  options = {};
  options.stitching.minMeasurements = 41;
  EXPECT_EQ(countIds(trackFrames(frames, {}, options)), 2U);
}

TEST(TrackerOptions, CompanionsPredictNoMorePreciselyThanTheLimit) {
  // Six companions that do not move at all.
  motion::Constellation seen{{TrackId(1), 100, 100, 0, 0}, {}};
  for (uint64_t n = 0; n < 6; ++n)
    seen.companions.push_back(
        {TrackId(n + 2), 100 + 20 * std::cos(double(n)), 100 + 20 * std::sin(double(n)), 0, 0});
  const motion::Common both = motion::common(seen, seen.companions);
  for (const double minSigma : {1.0, 3.0}) {
    motion::CompanionOptions options;
    options.minSigma = minSigma;
    const motion::Guess guess = motion::mapped(both, options);
    EXPECT_NEAR(guess.xx, minSigma * minSigma, 1e-6);
    EXPECT_NEAR(guess.x, 100, 1e-6);
    EXPECT_EQ(guess.freedom, options.freedom);
  }
}

TEST(TrackerOptions, FreeStepsNeedToBeAlike) {
  // A light crosses the image in four frames, with steps of 400, 350 and 400 px.
  const auto stepsOf = [](double maxDifference) {
    motion::TrackerOptions options;
    options.fastMarkers.maxDifferenceAlone = maxDifference;
    motion::Tracker tracker = makeTracker({}, std::make_shared<motion::TrackIds>(), options);
    const std::vector<double> places{100, 500, 850, 1250};
    for (uint64_t f = 0; f < 12; ++f) {
      std::vector<motion::Observation> seen;
      if (f >= 4 && f < 8) seen.push_back(at(places[f - 4]));
      tracker.update(frameAt(f, static_cast<double>(f) / 60), seen);
    }
    tracker.finish();
    return tracker.untracked().steps;
  };
  EXPECT_EQ(stepsOf(motion::FastMarkerOptions().maxDifferenceAlone), 3U);
  EXPECT_EQ(stepsOf(0.1), 0U);
}

TEST(TrackerOptions, RowsWaitNoLongerThanTheLimit) {
  // One marker stays and one is hidden from frame 20 on, so rows of the first wait for the second.
  const auto rowsAfterGap = [](uint64_t maxHeldFrames) {
    motion::TrackerOptions options;
    options.rows.maxHeldFrames = maxHeldFrames;
    motion::Tracker tracker = makeTracker({}, std::make_shared<motion::TrackIds>(), options);
    for (uint64_t f = 0; f < 30; ++f) {
      std::vector<motion::Observation> seen{at(100)};
      if (f < 20) seen.push_back(at(500));
      tracker.update(frameAt(f, static_cast<double>(f) / 60), seen);
    }
    return tracker.takeFinalised().size();
  };
  EXPECT_EQ(rowsAfterGap(24), 40U);  // These are the rows up to frame 19.
  // These also include the first marker's rows of frames 20 to 23.
  EXPECT_EQ(rowsAfterGap(5), 40U + 4U);
}

}  // namespace
}  // namespace glint
