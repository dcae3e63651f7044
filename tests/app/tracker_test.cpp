#include "app/track/tracker.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "config/error.h"
#include "tests/app/identity_cases.h"
#include "tests/numbers.h"

namespace glint {
namespace {

using test::Recording;
using test::Scene;
using test::simulate;

using Frames = std::vector<std::vector<Observation>>;

Observation at(double x, double y = 100) {
  Observation seen;
  seen.x = x;
  seen.y = y;
  seen.sigmaX = seen.sigmaY = 0.05;
  seen.mass = 1000;
  seen.radius = 3;
  return seen;
}

Tracker makeTracker(const Settings& settings = {},
                    std::shared_ptr<TrackIds> ids = std::make_shared<TrackIds>()) {
  return Tracker(settings.track, std::move(ids));
}

// All rows of the frames, taken as they settle, at 60 frames a second.
std::vector<TrackRow> follow(const Frames& frames, const Settings& settings = {}) {
  Tracker tracker = makeTracker(settings);
  std::vector<TrackRow> rows;
  const auto take = [&] {
    for (const TrackRow& row : tracker.takeFinalised()) rows.push_back(row);
  };
  for (size_t f = 0; f < frames.size(); ++f) {
    tracker.update(frameAt(f, static_cast<double>(f) / 60), frames[f]);
    take();
  }
  tracker.finish();
  take();
  return rows;
}

// A marker at 100 + 3 f, seen where `visible` is not '.'.
Frames steady(const std::string& visible) {
  Frames frames(visible.size());
  for (size_t f = 0; f < frames.size(); ++f)
    if (visible[f] != '.') frames[f].push_back(at(100 + 3 * static_cast<double>(f)));
  return frames;
}

auto asTuple(const TrackRow& r) {
  return std::tuple(r.frame, r.time, r.track, r.state, r.x, r.y, r.vx, r.vy, r.seen.x, r.seen.mass,
                    r.seen.sigmaX);
}

void expectSame(const std::vector<TrackRow>& a, const std::vector<TrackRow>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) ASSERT_EQ(asTuple(a[i]), asTuple(b[i])) << "row " << i;
}

class Identities : public testing::TestWithParam<test::IdentityCase> {};

// The goals of design.md, section 5, and those of identity_cases.h; default settings.
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

// The speeds that the goals name: a mean step of 2, 6 and 11 px and a 99th percentile near 4,
// 13, 23.
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

// Two markers pass each other: nearer than 7 px they are one observation, of the mass of both where
// their mass is, a little off at the edges of that time, when one frame shows neither.
struct Passing {
  double speed = 1;    // px a frame, of the one relative to the other
  double beside = 1;   // px, the least distance
  double mass = 1000;  // of the one; the other's is 1000
};

constexpr int kPassingFrames = 80;

// Both sway, in which what one of them alone would be foretold is wrong.
std::pair<double, double> placesOf(const Passing& p, int frame) {
  const double sway = 300 + 25 * std::sin(frame / 8.0);
  return {sway, sway + p.speed * (frame - kPassingFrames / 2)};
}

Frames passing(const Passing& p) {
  Frames frames;
  bool before = false;
  for (int f = 0; f < kPassingFrames; ++f) {
    const auto [x, other] = placesOf(p, f);
    std::vector<Observation>& seen = frames.emplace_back();
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

// The ids of the rows within 0.5 px of each marker.
std::pair<std::set<uint64_t>, std::set<uint64_t>> idsOf(const Passing& p, const Frames& frames) {
  std::pair<std::set<uint64_t>, std::set<uint64_t>> ids;
  for (const TrackRow& row : follow(frames)) {
    const auto [x, other] = placesOf(p, static_cast<int>(row.frame.value()));
    if (std::hypot(x - other, p.beside) < 7) continue;
    if (std::hypot(row.x - x, row.y - 100) < 0.5) ids.first.insert(row.track.value());
    if (std::hypot(row.x - other, row.y - 100 - p.beside) < 0.5)
      ids.second.insert(row.track.value());
  }
  return ids;
}

TEST(Tracker, MarkersThatPassEachOtherKeepTheirIds) {
  for (const double speed : {1.0, 2.0, 4.0})  // slower, it outlasts track.max_gap
    for (const double beside : {0.0, 2.0, 4.0})
      for (const double mass : {600.0, 1000.0, 1500.0}) {
        const Passing p{speed, beside, mass};
        const auto [one, other] = idsOf(p, passing(p));
        EXPECT_EQ(one.size(), 1u) << speed << " px a frame, " << beside << " px, " << mass;
        EXPECT_EQ(other.size(), 1u) << speed << " px a frame, " << beside << " px, " << mass;
        EXPECT_NE(one, other);
      }
}

// A flash beside a place where another marker vanished long before is no sum of both.
TEST(Tracker, AFlashAloneIsNoSum) {
  Frames frames;
  for (int f = 0; f < 40; ++f) {
    std::vector<Observation>& seen = frames.emplace_back();
    seen.push_back(at(100 + f));
    if (f >= 20 && f < 23) seen.back().mass = 2000;
    if (f < 20) seen.push_back(at(400 + f));
  }
  for (const TrackRow& row : follow(frames)) EXPECT_EQ(row.track, row.x < 300 ? 1u : 2u);
  EXPECT_EQ(follow(frames).size(), 60u);
}

TEST(Tracker, RowsStartAtTheFirstMeasurement) {
  const std::vector<TrackRow> rows = follow(steady("....xxxxxx"));
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows.front().frame, 4u);
  for (const TrackRow& row : rows) {
    EXPECT_EQ(row.track, 1u);
    EXPECT_EQ(row.state, TrackState::measured);
    EXPECT_DOUBLE_EQ(row.x, 100 + 3 * static_cast<double>(row.frame.value()));
    EXPECT_NEAR(row.vx, 180, 1);
    EXPECT_NEAR(row.vy, 0, 1);
  }
}

TEST(Tracker, UnconfirmedTracksLeaveNoRows) {
  EXPECT_TRUE(follow(steady("xx........")).empty());
  EXPECT_TRUE(follow(steady("x....x...x")).empty());
  Settings five;
  five.track.confirm = 5;
  EXPECT_TRUE(follow(steady("xxxx......"), five).empty());
  EXPECT_EQ(follow(steady("xxxxx....."), five).size(), 5u);
  EXPECT_EQ(follow(steady("xxx.xx...."), five).size(), 6u);
  EXPECT_TRUE(follow(steady("xx.x.xx..."), five).empty());
}

TEST(Tracker, ConfirmationAtTheFirstMeasurement) {
  Settings one;
  one.track.confirm = 1;
  EXPECT_EQ(follow(steady("x"), one).size(), 1u);
  const std::vector<TrackRow> rows = follow(steady("xxxxxxxxxx"), one);
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows.back().track, 1u);
}

TEST(Tracker, GapsAreFilledBetweenTheirEnds) {
  const std::vector<TrackRow> rows = follow(steady("xxxxxxxxxx.....xxxxx"));
  ASSERT_EQ(rows.size(), 20u);
  for (size_t f = 0; f < rows.size(); ++f) {
    const TrackRow& row = rows[f];
    EXPECT_EQ(row.frame, f);
    EXPECT_EQ(row.track, 1u);
    EXPECT_EQ(row.state, f < 10 || f >= 15 ? TrackState::measured : TrackState::predicted);
    EXPECT_NEAR(row.x, 100 + 3 * static_cast<double>(f), 0.1);
    EXPECT_NEAR(row.vx, 180, 3);
    EXPECT_DOUBLE_EQ(row.time, static_cast<double>(f) / 60);
  }
  EXPECT_GT(rows[12].seen.sigmaX, rows[10].seen.sigmaX);  // least known in the middle
  EXPECT_EQ(rows[12].seen.x, rows[9].seen.x);
}

TEST(Tracker, CoastingTailsAreDropped) {
  EXPECT_EQ(follow(steady("xxxxxxxxxx.....")).size(), 10u);
  EXPECT_EQ(follow(steady("xxxxxxxxxx" + std::string(40, '.'))).size(), 10u);
}

TEST(Tracker, CoastsForMaxGapFrames) {
  const std::string seen(30, 'x');
  for (const int gap : {0, 1, 6}) {
    Settings settings;
    settings.track.maxGap = gap;
    settings.track.stitchGap = 0;
    const size_t allowed = static_cast<size_t>(gap);
    for (const TrackRow& row : follow(steady(seen + std::string(allowed, '.') + seen), settings))
      EXPECT_EQ(row.track, 1u) << "gap " << gap;
    const auto longer = follow(steady(seen + std::string(allowed + 1, '.') + seen), settings);
    EXPECT_EQ(longer.size(), 60u);
    EXPECT_EQ(longer.back().track, 2u) << "gap " << gap;
  }
}

TEST(Tracker, LiveShowsCoastingTracksAndPredictionsLookAhead) {
  Tracker tracker = makeTracker();
  const Frames frames = steady("xxxxxxxx..");
  for (size_t f = 0; f < 8; ++f) tracker.update(frameAt(f, static_cast<double>(f) / 60), frames[f]);
  ASSERT_EQ(tracker.predictions().size(), 1u);
  EXPECT_NEAR(tracker.predictions()[0].x, 124, 0.1);
  const double radius = tracker.predictions()[0].radius;
  EXPECT_EQ(tracker.live().at(0).state, TrackState::measured);
  tracker.update(frameAt(8, 8.0 / 60), frames[8]);
  ASSERT_EQ(tracker.live().size(), 1u);
  EXPECT_EQ(tracker.live()[0].state, TrackState::predicted);
  EXPECT_EQ(tracker.live()[0].frame, 8u);
  EXPECT_NEAR(tracker.live()[0].x, 124, 0.1);
  EXPECT_GT(tracker.predictions().at(0).radius, radius);
  for (uint64_t f = 9; f < 60; ++f) tracker.update(frameAt(f, static_cast<double>(f) / 60), {});
  EXPECT_TRUE(tracker.live().empty());
  EXPECT_TRUE(tracker.predictions().empty());
}

// A marker is hidden for 60 frames, in which it turns; others know where it is.
TEST(Tracker, AHeldTrackKeepsItsIdWithoutRowsBetween) {
  Settings settings;
  settings.track.stitchGap = 0;
  const auto x = [](uint64_t f) { return 100 + 40 * std::sin(0.1 * static_cast<double>(f)); };
  const auto run = [&](bool told) {
    Tracker tracker = makeTracker(settings);
    std::vector<TrackRow> rows;
    for (uint64_t f = 0; f < 140; ++f) {
      const bool hidden = f >= 40 && f < 100;
      std::vector<Foretold> foretold;
      if (told && f > 40 && f <= 100)
        foretold.push_back({TrackId(1), x(f) + 0.5, 100, 1, 1, 0, 0, 1e4, 1e4});
      tracker.update(frameAt(f, static_cast<double>(f) / 60),
                     hidden ? std::vector<Observation>() : std::vector{at(x(f))}, foretold);
      if (told && f == 80) {
        EXPECT_NEAR(tracker.live().at(0).x, x(f) + 0.5, 1e-9);
        EXPECT_EQ(tracker.live().at(0).state, TrackState::predicted);
        EXPECT_EQ(tracker.predictions().size(), 1u);
      }
      for (const TrackRow& row : tracker.takeFinalised()) rows.push_back(row);
    }
    tracker.finish();
    for (const TrackRow& row : tracker.takeFinalised()) rows.push_back(row);
    return rows;
  };
  const auto alone = run(false), told = run(true);
  ASSERT_EQ(alone.size(), 80u);
  ASSERT_EQ(told.size(), 80u);
  EXPECT_EQ(alone.back().track, 2u);
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].track, 1u);
    EXPECT_EQ(told[i].frame, i < 40 ? i : i + 60);
    EXPECT_EQ(told[i].state, TrackState::measured);
  }
}

TEST(Tracker, ABounceKeepsItsId) {
  Frames frames(40);
  for (size_t f = 0; f < frames.size(); ++f)
    frames[f].push_back(at(100 + std::abs(12 * (20.3 - static_cast<double>(f)))));
  const std::vector<TrackRow> rows = follow(frames);
  ASSERT_EQ(rows.size(), 40u);
  for (const TrackRow& row : rows) EXPECT_EQ(row.track, 1u);
}

// A marker turns sharply while it is hidden for 5 frames. Alone it keeps its id; among markers that
// rest as it does, another of them may as well have appeared.
TEST(Tracker, AHiddenMarkerIsRecognisedWhereOthersAreUnlikely) {
  for (const int others : {0, 8}) {
    Frames frames(40);
    for (size_t f = 0; f < frames.size(); ++f) {
      for (int n = 0; n < others; ++n) frames[f].push_back(at(70 + 10 * (n % 4), n < 4 ? 80 : 120));
      if (f < 20) frames[f].push_back(at(100 + 3 * static_cast<double>(f) - 60));
      if (f >= 25) frames[f].push_back(at(97, 85));
    }
    std::set<uint64_t> ids;
    for (const TrackRow& row : follow(frames)) ids.insert(row.track.value());
    EXPECT_EQ(ids.size(), others == 0 ? 1u : 10u);
  }
}

// Two markers side by side are hidden and come back one above the other: each place is nearly as
// far from the one as from the other.
TEST(Tracker, BrightnessAndSizeDecideWherePlacesDoNot) {
  const auto look = [](Observation seen, bool bright) {
    seen.mass = bright ? 3000 : 1000;
    seen.radius = bright ? 4 : 3;
    return seen;
  };
  for (const bool brightIsLeft : {false, true})
    for (const bool brightIsAbove : {false, true}) {
      Frames frames(40);
      for (size_t f = 0; f < frames.size(); ++f) {
        if (f < 20) frames[f] = {look(at(100), brightIsLeft), look(at(110), !brightIsLeft)};
        if (f >= 26)
          frames[f] = {look(at(104, 95), brightIsAbove), look(at(106, 105), !brightIsAbove)};
      }
      std::set<uint64_t> bright, dim;
      for (const TrackRow& row : follow(frames))
        if (row.state == TrackState::measured)
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
  for (const TrackRow& row : follow(frames)) ids.insert(row.track.value());
  EXPECT_EQ(ids.size(), 2u);
}

// Shown at 30 frames a second, half of them twice: each marker goes on as if there were none again.
TEST(Tracker, FramesShownTwiceSayNothingAboutMotion) {
  Frames frames;
  for (int f = 0; f < 40; ++f) {
    frames.push_back({at(100 + 9.0 * f), at(400 - 7.0 * f, 300)});
    frames.push_back(frames.back());
    for (Observation& o : frames.back()) o.x += 0.003;
  }
  const std::vector<TrackRow> rows = follow(frames);
  ASSERT_EQ(rows.size(), 160u);
  for (const TrackRow& row : rows) {
    EXPECT_EQ(row.track, row.y < 200 ? 1u : 2u);
    EXPECT_EQ(row.state, TrackState::measured);
    if (row.frame > 20) {
      EXPECT_NEAR(std::abs(row.vx), row.y < 200 ? 270 : 210, 5);  // 4.5 and 3.5 px a frame
    }
  }
}

// After five frames that are the same it is the markers that rest, not the recording.
TEST(Tracker, MarkersThatStopAreAtRest) {
  Frames frames(60);
  for (size_t f = 0; f < frames.size(); ++f)
    frames[f].push_back(at(100 + 5 * std::min(static_cast<double>(f), 30.0)));
  const std::vector<TrackRow> rows = follow(frames);
  ASSERT_EQ(rows.size(), 60u);
  for (const TrackRow& row : rows) EXPECT_EQ(row.track, 1u);
  EXPECT_NEAR(rows.back().vx, 0, 1);
}

// Far from all others a marker that jumps is the same marker, whatever its brightness does.
TEST(Tracker, AJumpWithoutARivalKeepsItsId) {
  Frames frames(30);
  for (size_t f = 0; f < frames.size(); ++f) {
    frames[f] = {at(100), at(f < 15 ? 400 : 460, 120), at(700)};
    if (f >= 15) frames[f][1].mass *= 2.6;
  }
  const std::vector<TrackRow> rows = follow(frames);
  ASSERT_EQ(rows.size(), 90u);
  std::set<uint64_t> ids;
  for (const TrackRow& row : rows) ids.insert(row.track.value());
  EXPECT_EQ(ids.size(), 3u);
}

// Markers, of which some leave for good and some for long, and clutter.
Frames comingAndGoing() {
  Frames frames = simulate({.frames = 600, .clutter = 3}).frames;
  for (size_t f = 0; f < frames.size(); ++f) {
    if (f < 40) frames[f].push_back(at(-300, -300));
    if (f < 100 || f >= 400) frames[f].push_back(at(-100 + 0.01 * static_cast<double>(f), -200));
    if (f % 3 != 0) frames[f].push_back(at(-500, -500 + 0.01 * static_cast<double>(f)));
  }
  return frames;
}

// Whatever the settings: what is final waits for no more frames than those of kMostHeldFrames.
TEST(Tracker, RowsThatAreFinalDoNotWaitForOthers) {
  const Frames frames = comingAndGoing();
  struct Case {
    int maxGap, confirm;
    double interval;  // s
    uint64_t held;    // frames
  };
  for (const Case& c :
       {Case{15, 3, 1.0 / 60, 20}, Case{10000, 3, 1.0 / 60, Tracker::kMostHeldFrames},
        Case{10000, 100, 1.0 / 60, Tracker::kMostHeldFrames}, Case{10000, 3, 0.1, 7},
        Case{10000, 3, 60, 0}, Case{15, 40, 1.0 / 60, Tracker::kMostHeldFrames}}) {
    SCOPED_TRACE(testing::Message()
                 << "gap " << c.maxGap << ", confirm " << c.confirm << ", " << c.interval << " s");
    Settings settings;
    settings.track.maxGap = c.maxGap;
    settings.track.confirm = c.confirm;
    Tracker steady = makeTracker(settings), atOnce = makeTracker(settings);
    std::vector<TrackRow> rows;
    std::map<TrackId, FrameNumber> reached;  // the last frame with a row, by track
    std::set<std::pair<FrameNumber, TrackId>> written;
    const auto take = [&] {
      const std::vector<TrackRow> settled = steady.takeFinalised();
      for (const TrackRow& row : settled) {
        const auto [last, isNew] = reached.try_emplace(row.track, row.frame);
        EXPECT_TRUE(isNew || row.frame > last->second) << "the rows of one track go forward";
        last->second = row.frame;
        written.emplace(row.frame, row.track);
        rows.push_back(row);
      }
      const auto before = [](const TrackRow& a, const TrackRow& b) {
        return std::tie(a.frame, a.track) < std::tie(b.frame, b.track);
      };
      EXPECT_TRUE(std::is_sorted(settled.begin(), settled.end(), before));
    };
    std::map<std::pair<FrameNumber, TrackId>, size_t> seen;  // live rows, measured, and when
    for (size_t f = 0; f < frames.size(); ++f) {
      const double time = static_cast<double>(f) * c.interval;
      steady.update(frameAt(f, time), frames[f]);
      atOnce.update(frameAt(f, time), frames[f]);
      take();
      for (const TrackRow& row : steady.live())
        if (row.state == TrackState::measured) seen.emplace(std::pair(row.frame, row.track), f);
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
    std::vector<TrackRow> sorted = atOnce.takeFinalised();
    ASSERT_GT(sorted.size(), 1000U);
    std::sort(rows.begin(), rows.end(), [](const TrackRow& a, const TrackRow& b) {
      return std::tie(a.frame, a.track) < std::tie(b.frame, b.track);
    });
    expectSame(rows, sorted);
  }
}

// A marker that left costs what it is remembered by, however long it is waited for.
TEST(FrameHistory, HoldsWhatIsNeededOnly) {
  FrameHistory history;
  EXPECT_EQ(history.firstWithin(5, 1), 0U);
  for (uint64_t f = 0; f < 100; ++f) history.add({frameAt(f, 0), static_cast<double>(f) / 10});
  EXPECT_EQ(history.firstWithin(5, 100), 94U);
  EXPECT_EQ(history.firstWithin(50, 0.55), 94U);
  EXPECT_EQ(history.firstWithin(50, 0), 99U);
  EXPECT_EQ(history.firstWithin(500, 100), 0U);
  std::vector<uint64_t> frames;
  for (const Stamp& stamp : history.between(FrameNumber(10), FrameNumber(14)))
    frames.push_back(stamp.frame.value());
  EXPECT_EQ(frames, (std::vector<uint64_t>{11, 12, 13}));
  history.forgetBefore(FrameNumber(90));
  EXPECT_EQ(history.size(), 10U);
  EXPECT_TRUE(history.between(FrameNumber(10), FrameNumber(14)).empty());
}

TEST(Tracker, SettledRowsComeInOrderAndInTime) {
  const Recording recording = simulate({.frames = 300, .clutter = 5});
  const Settings settings;
  Tracker tracker = makeTracker(settings);
  FrameNumber lastFrame;
  TrackId lastTrack;
  for (size_t f = 0; f < recording.frames.size(); ++f) {
    tracker.update(frameAt(f, static_cast<double>(f) / 60), recording.frames[f]);
    for (const TrackRow& row : tracker.takeFinalised()) {
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
  // A marker comes and goes, each time at another place; two cameras share the numbers.
  const auto ids = std::make_shared<TrackIds>();
  Tracker left = makeTracker({}, ids), right = makeTracker({}, ids);
  std::vector<uint64_t> order;
  std::set<uint64_t> finished;
  for (uint64_t f = 0; f < 400; ++f) {
    const std::vector<Observation> seen{at(static_cast<double>(f / 40 * 200))};
    const std::span<const Observation> shown =
        f % 40 < 10 ? std::span(seen) : std::span(seen).first(0);
    left.update(frameAt(f, static_cast<double>(f)), shown);
    right.update(frameAt(f, static_cast<double>(f)), shown);
    for (Tracker* tracker : {&left, &right})
      for (const TrackRow& row : tracker->takeFinalised())
        if (order.empty() ||
            std::find(order.begin(), order.end(), row.track.value()) == order.end())
          order.push_back(row.track.value());
  }
  ASSERT_EQ(order.size(), 20u);
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i + 1);  // and none is wasted
}

TEST(Tracker, SameInputSameRows) {
  const Recording recording = simulate({.frames = 200, .clutter = 10, .mergeDistance = 6});
  const std::vector<TrackRow> rows = follow(recording.frames);
  ASSERT_GT(rows.size(), 5000u);
  expectSame(rows, follow(recording.frames));
  Frames shuffled = recording.frames;
  std::mt19937 random(3);
  for (auto& frame : shuffled) std::shuffle(frame.begin(), frame.end(), random);
  expectSame(rows, follow(shuffled));
}

TEST(Tracker, IrregularTimesAreUsed) {
  // 600 px/s; every interval is 5 to 45 ms, so steps are 3 to 27 px.
  std::mt19937 random(4);
  std::uniform_real_distribution<double> interval(0.005, 0.045);
  Tracker tracker = makeTracker();
  double time = 0;
  std::vector<TrackRow> rows;
  for (uint64_t f = 0; f < 200; ++f, time += interval(random)) {
    const std::vector<Observation> seen{at(600 * time)};
    tracker.update(frameAt(f, time), seen);
  }
  tracker.finish();
  rows = tracker.takeFinalised();
  ASSERT_EQ(rows.size(), 200u);
  for (const TrackRow& row : rows) {
    EXPECT_EQ(row.track, 1u);
    EXPECT_NEAR(row.vx, 600, 15);
  }
}

TEST(Tracker, TimesThatDoNotAdvanceCountAsUsualIntervals) {
  Tracker tracker = makeTracker();
  for (uint64_t f = 0; f < 60; ++f) {
    double time = static_cast<double>(f) / 60;
    if (f % 10 == 5) time = static_cast<double>(f - 1) / 60;
    if (f % 10 == 7) time = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Observation> seen{at(100 + static_cast<double>(f))};
    tracker.update(frameAt(f, time), seen);
  }
  tracker.finish();
  const std::vector<TrackRow> rows = tracker.takeFinalised();
  ASSERT_EQ(rows.size(), 60u);
  for (const TrackRow& row : rows) EXPECT_EQ(row.track, 1u);
}

TEST(Tracker, DroppedFramesAndPausesCountAsGaps) {
  const auto tracksAcross = [](uint64_t frames, double seconds) {
    Tracker tracker = makeTracker();
    for (uint64_t f = 0; f < 60; ++f) {
      const bool later = f >= 30;
      const double time = static_cast<double>(f) / 60 + (later ? seconds : 0);
      const std::vector<Observation> seen{at(100 + 60 * time)};
      tracker.update(frameAt(f + (later ? frames : 0), time), seen);
    }
    tracker.finish();
    const std::vector<TrackRow> rows = tracker.takeFinalised();
    EXPECT_EQ(rows.size(), 60u);
    return rows.back().track.value();
  };
  EXPECT_EQ(tracksAcross(5, 5.0 / 60), 1u);
  EXPECT_EQ(tracksAcross(0, 5.0 / 60), 1u);
  EXPECT_EQ(tracksAcross(500, 500.0 / 60), 2u);
  EXPECT_EQ(tracksAcross(0, 10), 2u);
}

// Frames that were dropped say nothing against a track, however regularly they are.
TEST(Tracker, SteadyDropsLoseNobody) {
  struct Pattern {
    const char* name;
    std::vector<int> steps;  // in usual intervals, again and again
    bool numbered;           // frame numbers leave gaps, too, as a camera's do
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
    Tracker tracker = makeTracker();
    std::set<uint64_t> ids;
    size_t rows = 0, given = 0;
    int now = 0;
    for (int i = 0; i < kFrames; ++i) {
      std::vector<Observation> seen;
      for (int m = 0; m < kMarkers; ++m) {
        if (random() % 50 == 0) continue;
        const double phase = now / 60.0 + m;
        seen.push_back(at(100 + 50 * (m % 5) + 15 * std::sin(phase) + noise(random),
                          100 + 50 * (m / 5) + 15 * std::cos(1.3 * phase) + noise(random)));
      }
      given += seen.size();
      tracker.update(frameAt(static_cast<uint64_t>(pattern.numbered ? now : i), now / 60.0), seen);
      if (i == kFrames - 1) tracker.finish();
      for (const TrackRow& row : tracker.takeFinalised()) {
        ids.insert(row.track.value());
        rows += row.state == TrackState::measured;
      }
      now += pattern.steps[static_cast<size_t>(i) % pattern.steps.size()];
    }
    EXPECT_LE(ids.size(), kMarkers + 1U);
    EXPECT_GE(rows, given - given / 100);
  }
}

TEST(Tracker, EmptyInputs) {
  EXPECT_TRUE(follow(Frames(100)).empty());
  EXPECT_TRUE(follow({}).empty());
  EXPECT_TRUE(follow({{at(5)}}).empty());
  Tracker untouched = makeTracker();
  EXPECT_TRUE(untouched.live().empty());
  EXPECT_TRUE(untouched.predictions().empty());
  EXPECT_TRUE(untouched.takeFinalised().empty());
}

TEST(Tracker, TwoIdenticalObservationsAreTwoTracks) {
  const std::vector<TrackRow> rows = follow(Frames(10, {at(50), at(50)}));
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
  expectSame(follow(plain), follow(spoilt));
  for (auto& frame : plain) {  // unknown qualities do not matter
    frame[0].sigmaX = nan;
    frame[0].sigmaY = 0;
    frame[0].mass = nan;
    frame[0].radius = 0;
  }
  EXPECT_EQ(follow(plain).size(), 10u);
}

/// A single pixel's light, which the fit places to 0.1 px.
Observation pixelAt(double x, int frame) {
  Observation seen = at(x + 0.1 * (frame % 3 - 1));
  seen.radius = 0.55 + 0.05 * (frame % 2);
  return seen;
}

TEST(Tracker, ASinglePixelThatNeverMovesIsNoMarker) {
  Frames frames = steady("xxxxxxxxxxxxxxxxxxxx");
  const auto alone = follow(frames);
  for (int n = 0; n < 20; ++n) frames[static_cast<size_t>(n)].push_back(pixelAt(300, n));
  expectSame(follow(frames), alone);
  Frames moves(20), blurred(20);
  for (int n = 0; n < 20; ++n) {
    moves[static_cast<size_t>(n)] = {pixelAt(n < 10 ? 300 : 300 + 0.5 * (n - 9), n)};
    blurred[static_cast<size_t>(n)] = {pixelAt(300, n)};
    blurred[static_cast<size_t>(n)][0].radius = 1;
  }
  EXPECT_EQ(follow(blurred).size(), 20U) << "light in several pixels";
  const auto rows = follow(moves);
  ASSERT_GE(rows.size(), 10U) << "it moves, after all";
  EXPECT_LE(rows.size(), 13U) << "and begins not long before";
  Settings once;
  once.track.confirm = 1;
  EXPECT_EQ(follow(frames, once).size(), 40U) << "a single frame tells nothing about motion";
}

TEST(Tracker, FramesMustGoForward) {
  Tracker tracker = makeTracker();
  tracker.update(frameAt(5, 0), {});
  EXPECT_THROW(tracker.update(frameAt(5, 1), {}), Error);
  EXPECT_THROW(tracker.update(frameAt(4, 1), {}), Error);
  tracker.update(frameAt(6, 1), {});
}

}  // namespace
}  // namespace glint
