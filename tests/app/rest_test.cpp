#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "app/motion/track/tracker.h"
#include "tests/app/rest_scenes.h"
#include "tests/numbers.h"

namespace glint {
namespace {

// A hidden marker comes back where it was, so no track may change to another star.
TEST(Rest, StarsThatComeAndGoKeepTheirTracks) {
  for (const uint64_t seed : {1, 2}) {
    const test::Recording recording = test::starField({.seed = seed});
    const test::Wander wander = test::wanderOf(test::follow(recording), recording);
    EXPECT_EQ(wander.left, 0U) << "seed " << seed << ": " << wander.tracks << " tracks";
    EXPECT_GT(wander.rows, 70000U);
  }
}

// If two stars are nearer to each other than the separation, only the brighter one is seen. So one
// disappears in the frame in which the other appears.
TEST(Rest, StarsThatTakeTurnsKeepTheirTracks) {
  size_t left = 0, tracks = 0;
  for (const uint64_t seed : {1, 2, 3, 4}) {
    const test::Recording recording = test::starField({.stars = 1000, .frames = 150, .seed = seed});
    const test::Wander wander = test::wanderOf(test::follow(recording), recording);
    left += wander.left;
    tracks += wander.tracks;
    EXPECT_GT(wander.rows, 107000U);
  }
  EXPECT_GT(tracks, 3500U);
  EXPECT_LE(left, 1U) << "of " << tracks;
}

TEST(Rest, ASkyThatTurnsIsFollowed) {
  for (const uint64_t seed : {1, 2, 3}) {
    const test::Recording recording = test::starField({.drift = 0.5, .seed = seed});
    EXPECT_EQ(test::wanderOf(test::follow(recording), recording).left, 0U) << "seed " << seed;
  }
}

// Markers rest for five seconds and then begin to move, some of them beyond their gates at once.
// They must keep their ids, although others rest all around.
TEST(Rest, WhatBeginsToMoveIsFollowed) {
  for (const double step : {1.0, 2.0, 5.0}) {
    const test::Recording recording =
        test::starField({.stars = 60, .starts = 20, .startsStep = step, .seed = 3});
    const study::Score score = test::judge(test::follow(recording), recording).score;
    EXPECT_GE(score.idf1, 0.97) << step << " px a frame";
  }
}

struct Sight {
  double x, y, mass, radius = 2.4;
};

motion::Observation seenAt(const Sight& sight) {
  motion::Observation o;
  o.x = sight.x;
  o.y = sight.y;
  o.sigmaX = o.sigmaY = 0.05;
  o.mass = sight.mass;
  o.radius = sight.radius;
  return o;
}

std::vector<motion::TrackRow> follow(const std::vector<std::vector<Sight>>& frames,
                                     double fps = 30) {
  test::Recording recording;
  for (size_t f = 0; f < frames.size(); ++f) {
    recording.numbers.push_back(f);
    recording.times.push_back(static_cast<double>(f) / fps);
    recording.frames.emplace_back();
    for (const Sight& sight : frames[f]) recording.frames.back().push_back(seenAt(sight));
  }
  return test::follow(recording).rows;
}

// Three LEDs move. Now and then a reflection with a twentieth of an LED's mass appears beside it:
// at the very place where the LED is expected, while the LED is `away` px from there.
TEST(Rest, AGhostTakesNoId) {
  for (const double away : {0.5, 0.6, 0.7}) {
    std::vector<std::vector<Sight>> frames(300);
    for (size_t f = 0; f < frames.size(); ++f) {
      const double t = static_cast<double>(f);
      for (int led = 0; led < 3; ++led)
        frames[f].push_back(
            {200 + 90.0 * led + 2 * t, 200 + 40 * std::sin(0.1 * t + led), 2660, 2.4});
      if (f % 40 != 20) continue;
      Sight& led = frames[f][f / 40 % 3];
      frames[f].push_back({led.x, led.y, 125, 1.2});
      led.x += 0.6 * away;
      led.y -= 0.8 * away;
    }
    std::set<uint64_t> ids;
    for (const motion::TrackRow& row : follow(frames)) {
      if (row.state == motion::TrackState::measured) {
        EXPECT_GT(row.seen.mass, 1000) << away;
      }
      ids.insert(row.track.value());
    }
    EXPECT_EQ(ids.size(), 3U) << away;
  }
}

// A ball is tossed in an otherwise empty picture.
TEST(Rest, ALoneFastMarkerIsATrack) {
  for (const double step : {20.0, 70.0, 110.0, 200.0})
    for (const size_t start : {0, 1, 2, 10}) {
      std::vector<std::vector<Sight>> frames(33);
      for (size_t n = 0; n < 11; ++n) {
        const double t = static_cast<double>(n);
        frames[start + n].push_back({40 + step * t, 600 - 55 * t + 5 * t * t, 9000, 6});
      }
      const std::vector<motion::TrackRow> rows = follow(frames);
      EXPECT_EQ(rows.size(), 11U) << step << " px a frame, from frame " << start;
      for (const motion::TrackRow& row : rows) EXPECT_EQ(row.track, 1U);
    }
}

// Observations that belong to no track are counted, and their speed is reported.
TEST(Rest, WhatNoTrackHasIsCounted) {
  motion::Tracker tracker(Settings().track, std::make_shared<motion::TrackIds>());
  for (uint64_t f = 0; f < 30; ++f) {
    std::vector<motion::Observation> seen{seenAt({100, 100, 1000})};
    if (f >= 10 && f < 14)
      seen.push_back(seenAt({200 + 400.0 * static_cast<double>(f - 10), 300, 5000}));
    tracker.update(frameAt(f, static_cast<double>(f) / 30), seen);
  }
  tracker.finish();
  EXPECT_EQ(tracker.untracked().observations, 4U);
  EXPECT_EQ(tracker.untracked().steps, 3U);
  EXPECT_NEAR(tracker.untracked().farthest, 400, 1);
}

// Several fast markers at once are counted, too, although each is too fast for a track. Lights that
// flicker here and there are not.
TEST(Rest, FastMarkersAmongOthersAreCounted) {
  constexpr double kStep = 50, kSide = 640;  // px
  struct Flight {
    double x, y, heading;
  };
  std::mt19937_64 random(7);
  const auto below = [&](double end) { return end * static_cast<double>(random() >> 11) / 0x1p53; };
  const auto bounced = [](double at) {
    const double in = std::abs(std::remainder(at, 2 * kSide));
    return std::min(in, 2 * kSide - in);
  };
  std::vector<Flight> flights(20);
  for (Flight& flight : flights) flight = {below(kSide), below(kSide), below(6.28)};
  for (const bool flicker : {false, true}) {
    motion::Tracker tracker(Settings().track, std::make_shared<motion::TrackIds>());
    for (uint64_t f = 0; f < 20; ++f) {
      std::vector<motion::Observation> seen;
      for (Flight& of : flights) {
        of.x += kStep * std::cos(of.heading);
        of.y += kStep * std::sin(of.heading);
        of.heading += 0.1 * (below(2) - 1);
        seen.push_back(seenAt(flicker ? Sight{below(kSide), below(kSide), 1000}
                                      : Sight{bounced(of.x), bounced(of.y), 1000}));
      }
      tracker.update(frameAt(f, static_cast<double>(f) / 30), seen);
    }
    tracker.finish();
    const motion::Untracked& left = tracker.untracked();
    EXPECT_GT(left.observations, 100U);
    if (flicker) {
      EXPECT_LT(4 * left.steps, left.observations);
    } else {
      EXPECT_GT(2 * left.steps, left.observations);
      EXPECT_NEAR(left.farthest, kStep, 2);
    }
  }
}

// Two stray lights in successive frames are no fast marker, and lights here and there are none
// either.
TEST(Rest, StrayLightsAreNoFastMarker) {
  const std::vector<Sight> strays{
      {200, 300, 5000}, {600, 250, 5000}, {150, 80, 5000}, {500, 400, 5000}};
  for (const size_t count : {size_t{2}, strays.size()}) {
    motion::Tracker tracker(Settings().track, std::make_shared<motion::TrackIds>());
    for (uint64_t f = 0; f < 30; ++f) {
      std::vector<motion::Observation> seen{seenAt({100, 100, 1000})};
      if (f >= 10 && f < 10 + count) seen.push_back(seenAt(strays[f - 10]));
      tracker.update(frameAt(f, static_cast<double>(f) / 30), seen);
    }
    tracker.finish();
    EXPECT_EQ(tracker.untracked().observations, count);
    EXPECT_EQ(tracker.untracked().steps, 0U);
  }
}

}  // namespace
}  // namespace glint
