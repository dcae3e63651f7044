// Tests that markers keep their ids.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/app/identity_cases.h"
#include "tests/app/tracked_frames.h"

namespace glint {
namespace {

using test::at;
using test::Frames;
using test::Recording;
using test::Scene;
using test::simulate;
using test::trackFrames;

class Identities : public testing::TestWithParam<test::IdentityCase> {};

// The goals are those of identity_cases.h, with default settings.
TEST_P(Identities, AreKept) {
  const test::IdentityCase& c = GetParam();
  const unsigned seeds = c.scene.markers > 100 ? 1 : 3;
  double idf1 = 0, switches = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    Scene scene = c.scene;
    scene.seed = seed;
    const Recording recording = simulate(scene);
    const test::Outcome outcome = test::judge(test::follow(recording), recording);
    idf1 += outcome.score.idf1 / seeds;
    switches += outcome.switchesPerThousand / seeds;
    EXPECT_LE(outcome.longestFalse, 5u) << "seed " << seed;
  }
  EXPECT_GE(idf1, c.idf1);
  EXPECT_LE(switches, c.switchesPerThousand);
}

INSTANTIATE_TEST_SUITE_P(Tracker, Identities, testing::ValuesIn(test::identityCases()),
                         [](const testing::TestParamInfo<test::IdentityCase>& tested) {
                           std::string name;
                           for (const char c : tested.param.name)
                             if (std::isalnum(static_cast<unsigned char>(c))) name += c;
                           return name;
                         });

// The goals name these speeds: a mean step of 2, 6 and 11 px, and a 99th percentile near 4, 13 and
// 23 px.
TEST(SimulatedMotion, HasTheStepsOfTheGoals) {
  for (const double mean : {2.0, 6.0, 11.0}) {
    const Recording recording = simulate({.meanStep = mean, .frames = 2000});
    std::vector<double> steps;
    for (size_t i = 30; i < recording.truth.size(); ++i)
      steps.push_back(std::hypot(recording.truth[i].x - recording.truth[i - 30].x,
                                 recording.truth[i].y - recording.truth[i - 30].y));
    const double sum = std::accumulate(steps.begin(), steps.end(), 0.0);
    EXPECT_NEAR(sum / static_cast<double>(steps.size()), mean, 0.05 * mean);
    const auto high = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() * 99 / 100);
    std::nth_element(steps.begin(), high, steps.end());
    EXPECT_NEAR(*high, 2.1 * mean, 0.1 * mean);
  }
}

// Two markers that pass each other. While they are nearer than 7 px they are one observation with
// the mass of both, at their centre of mass. At the edges of that time, one frame shows neither.
struct Passing {
  double speed = 1;    // The speed of the other marker relative to the first, px per frame.
  double beside = 1;   // The least distance of the two, px.
  double mass = 1000;  // The mass of the other marker; that of the first is 1000.
};

constexpr int kPassingFrames = 80;

// Returns the x of both markers. Both sway, so that a prediction from either one's own motion alone
// is wrong.
std::pair<double, double> placesOf(const Passing& p, int frame) {
  const double sway = 300 + 25 * std::sin(frame / 8.0);
  return {sway, sway + p.speed * (frame - kPassingFrames / 2)};
}

Frames passing(const Passing& p) {
  Frames frames;
  bool before = false;
  for (int f = 0; f < kPassingFrames; ++f) {
    const auto [x, other] = placesOf(p, f);
    std::vector<motion::Observation>& seen = frames.emplace_back();
    const bool merged = std::hypot(x - other, p.beside) < 7;
    const bool edge = std::exchange(before, merged) != merged;
    if (edge) continue;
    const double share = p.mass / (p.mass + 1000);
    if (merged) {
      seen.push_back(at(share * other + (1 - share) * x, 100 + share * p.beside));
      seen.back().mass = 1000 + p.mass;
      seen.back().radius = 4.5;
    } else {
      seen.push_back(at(x));
      seen.push_back(at(other, 100 + p.beside));
      seen.back().mass = p.mass;
    }
  }
  return frames;
}

// Returns the ids of the rows within 0.5 px of each marker.
std::pair<std::set<uint64_t>, std::set<uint64_t>> idsOf(const Passing& p, const Frames& frames) {
  std::pair<std::set<uint64_t>, std::set<uint64_t>> ids;
  for (const motion::TrackRow& row : trackFrames(frames)) {
    const auto [x, other] = placesOf(p, static_cast<int>(row.frame.value()));
    if (std::hypot(x - other, p.beside) < 7) continue;
    if (std::hypot(row.x - x, row.y - 100) < 0.5) ids.first.insert(row.track.value());
    if (std::hypot(row.x - other, row.y - 100 - p.beside) < 0.5)
      ids.second.insert(row.track.value());
  }
  return ids;
}

TEST(Tracker, MarkersThatPassEachOtherKeepTheirIds) {
  // At lower speeds the merger lasts longer than track.max_gap.
  for (const double speed : {1.0, 2.0, 4.0})
    for (const double beside : {0.0, 2.0, 4.0})
      for (const double mass : {600.0, 1000.0, 1500.0}) {
        const Passing p{speed, beside, mass};
        const auto [one, other] = idsOf(p, passing(p));
        EXPECT_EQ(one.size(), 1u) << speed << " px a frame, " << beside << " px, " << mass;
        EXPECT_EQ(other.size(), 1u) << speed << " px a frame, " << beside << " px, " << mass;
        EXPECT_NE(one, other);
      }
}

// A marker flashes in the place where another one vanished long before. It must not be taken for
// the sum of both.
TEST(Tracker, AFlashAloneIsNoSum) {
  Frames frames;
  for (int f = 0; f < 40; ++f) {
    std::vector<motion::Observation>& seen = frames.emplace_back();
    seen.push_back(at(100 + f));
    if (f >= 20 && f < 23) seen.back().mass = 2000;
    if (f < 20) seen.push_back(at(400 + f));
  }
  for (const motion::TrackRow& row : trackFrames(frames))
    EXPECT_EQ(row.track, row.x < 300 ? 1u : 2u);
  EXPECT_EQ(trackFrames(frames).size(), 60u);
}

TEST(Tracker, ABounceKeepsItsId) {
  Frames frames(40);
  for (size_t f = 0; f < frames.size(); ++f)
    frames[f].push_back(at(100 + std::abs(12 * (20.3 - static_cast<double>(f)))));
  const std::vector<motion::TrackRow> rows = trackFrames(frames);
  ASSERT_EQ(rows.size(), 40u);
  for (const motion::TrackRow& row : rows) EXPECT_EQ(row.track, 1u);
}

// A marker turns sharply while it is hidden for 5 frames. Alone it keeps its id. Among resting
// markers that look like it, it does not, because it may be a new one.
TEST(Tracker, AHiddenMarkerIsRecognisedWhereOthersAreUnlikely) {
  for (const int others : {0, 8}) {
    Frames frames(40);
    for (size_t f = 0; f < frames.size(); ++f) {
      for (int n = 0; n < others; ++n) frames[f].push_back(at(70 + 10 * (n % 4), n < 4 ? 80 : 120));
      if (f < 20) frames[f].push_back(at(100 + 3 * static_cast<double>(f) - 60));
      if (f >= 25) frames[f].push_back(at(97, 85));
    }
    std::set<uint64_t> ids;
    for (const motion::TrackRow& row : trackFrames(frames)) ids.insert(row.track.value());
    EXPECT_EQ(ids.size(), others == 0 ? 1u : 10u);
  }
}

// Two markers side by side are hidden and come back one above the other. Each new place is nearly
// as far from the one as from the other.
TEST(Tracker, BrightnessAndSizeDecideWherePlacesDoNot) {
  const auto asMarker = [](motion::Observation seen, bool bright) {
    seen.mass = bright ? 3000 : 1000;
    seen.radius = bright ? 4 : 3;
    return seen;
  };
  for (const bool brightIsLeft : {false, true})
    for (const bool brightIsAbove : {false, true}) {
      Frames frames(40);
      for (size_t f = 0; f < frames.size(); ++f) {
        if (f < 20) frames[f] = {asMarker(at(100), brightIsLeft), asMarker(at(110), !brightIsLeft)};
        if (f >= 26)
          frames[f] = {asMarker(at(104, 95), brightIsAbove),
                       asMarker(at(106, 105), !brightIsAbove)};
      }
      std::set<uint64_t> bright, dim;
      for (const motion::TrackRow& row : trackFrames(frames))
        if (row.state == motion::TrackState::measured)
          (row.seen.mass > 2000 ? bright : dim).insert(row.track.value());
      EXPECT_EQ(bright.size(), 1u);
      EXPECT_EQ(dim.size(), 1u);
      EXPECT_NE(bright, dim);
    }
}

TEST(Tracker, ARestingTrackIsNotTakenFarAway) {
  Frames frames(40);
  for (size_t f = 0; f < frames.size(); ++f) frames[f].push_back(at(f < 20 ? 100 : 300));
  std::set<uint64_t> ids;
  for (const motion::TrackRow& row : trackFrames(frames)) ids.insert(row.track.value());
  EXPECT_EQ(ids.size(), 2u);
}

// After five equal frames the tracker assumes that the markers rest, and no longer that the
// recording repeats a frame.
TEST(Tracker, MarkersThatStopAreAtRest) {
  Frames frames(60);
  for (size_t f = 0; f < frames.size(); ++f)
    frames[f].push_back(at(100 + 5 * std::min(static_cast<double>(f), 30.0)));
  const std::vector<motion::TrackRow> rows = trackFrames(frames);
  ASSERT_EQ(rows.size(), 60u);
  for (const motion::TrackRow& row : rows) EXPECT_EQ(row.track, 1u);
  EXPECT_NEAR(rows.back().vx, 0, 1);
}

// A marker that jumps far from all others keeps its id, even if its brightness changes.
TEST(Tracker, AJumpWithoutARivalKeepsItsId) {
  Frames frames(30);
  for (size_t f = 0; f < frames.size(); ++f) {
    frames[f] = {at(100), at(f < 15 ? 400 : 460, 120), at(700)};
    if (f >= 15) frames[f][1].mass *= 2.6;
  }
  const std::vector<motion::TrackRow> rows = trackFrames(frames);
  ASSERT_EQ(rows.size(), 90u);
  std::set<uint64_t> ids;
  for (const motion::TrackRow& row : rows) ids.insert(row.track.value());
  EXPECT_EQ(ids.size(), 3u);
}

}  // namespace
}  // namespace glint
