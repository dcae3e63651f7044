#include "app/motion/track/stitcher.h"

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/motion/track/tracker.h"
#include "app/motion/track/views.h"
#include "tests/app/identity_cases.h"
#include "tests/app/tracked_frames.h"
#include "tests/numbers.h"

namespace glint {
namespace {

using test::at;
using test::follow;
using test::judge;
using test::Recording;

// Returns frames at 60 per second: 40 frames with what `before` adds, `gap` empty ones, and 40 with
// what `after` adds. Both functions get the number of the frame.
template <class Before, class After>
Recording interrupted(int gap, Before before, After after) {
  Recording recording;
  for (int f = 0; f < 80 + gap; ++f) {
    std::vector<motion::Observation>& seen = recording.frames.emplace_back();
    recording.numbers.push_back(static_cast<uint64_t>(f));
    recording.times.push_back(f / 60.0);
    if (f < 40) before(seen, f);
    if (f >= 40 + gap) after(seen, f);
  }
  return recording;
}

// Returns a function that adds a resting marker at each of `places`.
auto resting(std::vector<double> places) {
  return [places](std::vector<motion::Observation>& seen, int) {
    for (const double x : places) seen.push_back(at(x));
  };
}

// Returns the ids in the last frame.
std::set<uint64_t> idsAfter(const Recording& recording, const Settings& settings = {}) {
  std::set<uint64_t> ids;
  const std::vector<motion::TrackRow> rows = follow(recording, settings).rows;
  for (const motion::TrackRow& row : rows)
    if (row.frame + 1 == recording.frames.size()) ids.insert(row.track.value());
  return ids;
}

using Ids = std::set<uint64_t>;

TEST(Stitcher, TheOnlyContinuationIsJoined) {
  const Recording recording = interrupted(60, resting({100}), resting({104}));
  const test::Followed followed = follow(recording);
  EXPECT_EQ(followed.stitches, 1u);
  // There are no rows in the gap, because nobody knows where the marker was.
  ASSERT_EQ(followed.rows.size(), 80u);
  for (const motion::TrackRow& row : followed.rows) {
    EXPECT_EQ(row.track, 1u);
    EXPECT_EQ(row.state, motion::TrackState::measured);
  }
  Settings off;
  off.track.stitchGap = 0;
  EXPECT_EQ(idsAfter(recording, off), Ids{2});
}

TEST(Stitcher, TwoEndedTracksForOneAreNotJoined) {
  EXPECT_EQ(idsAfter(interrupted(20, resting({100, 112}), resting({106}))), Ids{3});
}

TEST(Stitcher, TwoNewTracksForOneAreNotJoined) {
  EXPECT_EQ(idsAfter(interrupted(20, resting({106}), resting({100, 112}))), (Ids{2, 3}));
}

TEST(Stitcher, FarApartEachFindsItsOwn) {
  const Recording recording =
      interrupted(60, resting({100, 500, 900}), resting({902, 102, 501, 1200}));
  EXPECT_EQ(idsAfter(recording), (Ids{1, 2, 3, 4}));
  std::map<uint64_t, double> place;
  for (const motion::TrackRow& row : follow(recording).rows) {
    if (!place.contains(row.track.value())) place[row.track.value()] = row.x;
    EXPECT_NEAR(row.x, place[row.track.value()], 3);
  }
}

TEST(Stitcher, GapsAreAsLongAsAllowed) {
  Settings settings;
  for (const double most : {0.5, 1.0, 3.0}) {
    settings.track.stitchGap = most;
    const int frames = static_cast<int>(most * 60);  // A gap of n frames lasts n + 1 intervals.
    EXPECT_EQ(idsAfter(interrupted(frames - 2, resting({100}), resting({100})), settings), Ids{1});
    EXPECT_EQ(idsAfter(interrupted(frames + 2, resting({100}), resting({100})), settings), Ids{2});
  }
}

TEST(Stitcher, APlaceThatItCouldNotReachIsNoContinuation) {
  EXPECT_EQ(idsAfter(interrupted(20, resting({100}), resting({400}))), Ids{2});
  // A marker at rest rarely moves 20 px in 20 frames; another marker is as likely.
  Settings slow;
  slow.track.maxSpeed = 0.5;
  EXPECT_EQ(idsAfter(interrupted(20, resting({100}), resting({115})), slow), Ids{2});
}

// Seven markers move right by 4 px per frame. The one in the middle is hidden for 40 frames, in
// which all turn downwards.
TEST(Stitcher, CompanionsTellWhereItIs) {
  const auto x = [](int f) { return 100 + 4.0 * std::min(f, 50); };
  const auto y = [](int f) { return 100 + 4.0 * std::max(f - 50, 0); };
  const auto recording = [&](double awayX) {
    Recording r = interrupted(40, resting({}), resting({}));
    for (int f = 0; f < 120; ++f) {
      for (int n = 0; n < 6; ++n)
        r.frames[static_cast<size_t>(f)].push_back(
            at(x(f) + 60 * std::cos(n), y(f) + 60 * std::sin(n)));
      if (f < 40 || f >= 80)
        r.frames[static_cast<size_t>(f)].push_back(at(x(f) + (f < 40 ? 0 : awayX), y(f)));
    }
    return r;
  };
  EXPECT_EQ(follow(recording(0)).stitches, 1u);
  EXPECT_EQ(idsAfter(recording(0)), (Ids{1, 2, 3, 4, 5, 6, 7}));
  // The marker reappears within the pattern, but not at its place.
  EXPECT_EQ(follow(recording(40)).stitches, 0u);
}

// Returns sixteen markers around a body that turns to and fro. Four of them are hidden in frames
// 100 to 179. Their places after that follow from the frames in which the body had the same
// direction, not from the last one. They come back `stray` px away from there.
Recording turning(double stray) {
  Recording recording;
  for (int f = 0; f < 220; ++f) {
    std::vector<motion::Observation>& seen = recording.frames.emplace_back();
    recording.numbers.push_back(static_cast<uint64_t>(f));
    recording.times.push_back(f / 60.0);
    for (int n = 0; n < 16; ++n) {
      const double angle = 0.37 * n - 3 + 1.2 * std::sin(f / 20.0);
      const double x = 400 + 150 * std::sin(angle) + 10 * std::cos(angle);
      const bool back = n % 4 == 0 && f >= 180;
      if (n % 4 != 0 || f < 100 || back)
        seen.push_back(at(x + (back ? stray : 0), 100 + 14 * (n * 7 % 16)));
    }
  }
  return recording;
}

TEST(Stitcher, ScenesOfThePastTellWhereAGroupIs) {
  Ids sixteen;
  for (uint64_t id = 1; id <= 16; ++id) sixteen.insert(id);
  EXPECT_EQ(follow(turning(0)).stitches, 4u);
  EXPECT_EQ(idsAfter(turning(0)), sixteen);
  std::map<double, uint64_t> ids;  // The id of each marker, which is known by its y.
  for (const motion::TrackRow& row : follow(turning(0)).rows) {
    const double y = std::round(row.y / 14);
    if (!ids.contains(y)) ids[y] = row.track.value();
    EXPECT_EQ(row.track, ids[y]) << "frame " << row.frame;
  }
  EXPECT_EQ(follow(turning(300)).stitches, 0u);
}

// Returns a marker and its 14 companions on a rigid body, which is turned about an upright axis and
// seen from afar. The markers lie within 100 px of the axis.
motion::Constellation bodyAt(double angle, double x, double y) {
  std::vector<motion::TrackPlace> places;
  for (uint64_t n = 0; n <= 14; ++n) {
    const double k = static_cast<double>(n), around = 2.4 * k, from = n == 0 ? 100 : 40 + 4 * k;
    places.push_back(
        {TrackId(n + 1), x + from * std::sin(around + angle), y + 50 * std::sin(1.7 * k), 0, 0});
  }
  return {places.front(), {places.begin() + 1, places.end()}};
}

TEST(Views, TwoScenesTellWhatOneCannot) {
  const motion::Constellation one = bodyAt(0.2, 300, 200), two = bodyAt(0.9, 320, 190);
  for (const double angle : {-0.5, 0.5, 1.6, 2.3}) {
    SCOPED_TRACE(angle);
    const motion::Constellation now = bodyAt(angle, 410, 230);
    const auto guess = motion::combined(one, two, now.companions, 10);
    ASSERT_TRUE(guess.has_value());
    const double off = std::hypot(guess->x - now.own.x, guess->y - now.own.y);
    EXPECT_LT(off, 12);
    const motion::Guess single = motion::mapped(motion::common(one, now.companions));
    if (std::abs(angle - 0.2) > 0.5) {
      EXPECT_GT(std::hypot(single.x - now.own.x, single.y - now.own.y), 3 * off);
      EXPECT_LT(guess->determinant(), single.determinant());
    }
    // The error agrees with the stated uncertainty: it is within four standard deviations.
    const double dx = guess->x - now.own.x, dy = guess->y - now.own.y;
    EXPECT_LT(guess->yy * dx * dx - 2 * guess->xy * dx * dy + guess->xx * dy * dy,
              16 * guess->determinant());
  }
}

TEST(Views, CompanionsMustBeSeenInAllThree) {
  const motion::Constellation one = bodyAt(0.2, 300, 200), two = bodyAt(0.9, 300, 200);
  motion::Constellation now = bodyAt(0.5, 300, 200);
  EXPECT_TRUE(motion::combined(one, two, now.companions, 14).has_value());
  now.companions.erase(now.companions.begin() + 3);
  EXPECT_FALSE(motion::combined(one, two, now.companions, 14).has_value());
  EXPECT_TRUE(motion::combined(one, two, now.companions, 13).has_value());
  EXPECT_FALSE(motion::combined(one, two, std::span(now.companions).first(4), 0).has_value());
  EXPECT_FALSE(motion::combined({one.own, {}}, two, now.companions, 0).has_value());
}

// If all companions are at one place, they give no combination of views, but still a displacement.
TEST(Views, CompanionsInOnePlaceAreNoTrouble) {
  motion::Constellation one{{TrackId(1), 100, 100, 0, 0}, {}};
  for (uint64_t n = 2; n <= 12; ++n) one.companions.push_back({TrackId(n), 150, 160, 0, 0});
  std::vector<motion::TrackPlace> now = one.companions;
  for (motion::TrackPlace& place : now) place.x += 30;
  const auto guess = motion::combined(one, one, now, 10);
  ASSERT_TRUE(guess.has_value());
  EXPECT_NEAR(guess->x, 130, 0.5);
  EXPECT_NEAR(guess->y, 100, 0.5);
  EXPECT_GT(guess->density(130, 100), 0);
}

// The markers of bodies that turn keep their ids. With single views alone the mean of this test was
// 0.85.
TEST(Stitcher, DancersKeepTheirIds) {
  double idf1 = 0;
  constexpr unsigned kSeeds = 6;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const Recording recording = test::recordDancer(seed, 300);
    idf1 += judge(follow(recording), recording).score.idf1 / kSeeds;
  }
  EXPECT_GE(idf1, 0.86);
}

TEST(Stitcher, ATrackThatBeganBeforeTheOtherEndedIsAnother) {
  for (const double since : {0.9, 1.0, 1.1}) {
    motion::Stitcher stitcher(Settings().track);
    stitcher.remember({{TrackId(7), 100, 100, 0, 0}, 1.0, {}});
    const motion::NewTrack found{{TrackId(), 100, 100, 0, 0}, since};
    EXPECT_EQ(stitcher.join({&found, 1}, {}, 1.2, 1.0 / 60).at(0), since > 1 ? 7u : 0u);
  }
}

TEST(Stitcher, ClutterIsNotRemembered) {
  const auto brief = [](std::vector<motion::Observation>& seen, int f) {
    if (f >= 10 && f < 14) seen.push_back(at(100));
  };
  EXPECT_EQ(idsAfter(interrupted(20, brief, resting({100}))), Ids{2});
}

TEST(Stitcher, CamerasShareIdsButNoTracks) {
  const auto ids = std::make_shared<motion::TrackIds>();
  const Settings settings;
  motion::Tracker left(settings.track, ids), right(settings.track, ids);
  std::map<uint64_t, std::set<int>> camerasOf;
  const auto take = [&] {
    for (const motion::TrackRow& row : left.takeFinalised()) camerasOf[row.track.value()].insert(0);
    for (const motion::TrackRow& row : right.takeFinalised())
      camerasOf[row.track.value()].insert(1);
  };
  // A marker leaves the left image, and a marker appears in the right one 30 frames later.
  for (uint64_t f = 0; f < 200; ++f) {
    const std::vector<motion::Observation> seen{at(100)};
    const std::span<const motion::Observation> none;
    left.update(frameAt(f, static_cast<double>(f) / 60), f < 100 ? std::span(seen) : none);
    right.update(frameAt(f, static_cast<double>(f) / 60), f < 130 ? none : std::span(seen));
    take();
  }
  left.finish();
  right.finish();
  take();
  EXPECT_EQ(camerasOf, (std::map<uint64_t, std::set<int>>{{1, {0}}, {2, {1}}}));
  EXPECT_EQ(ids->given(), 2u);
}

TEST(Stitcher, LiveAndSettledRowsNeverDisagree) {
  const Recording recording = simulate(test::longOcclusions(30, 2));
  const Settings settings;
  motion::Tracker tracker(settings.track, std::make_shared<motion::TrackIds>());
  std::map<std::pair<uint64_t, double>, uint64_t> live;  // The ids by frame and x.
  std::vector<motion::TrackRow> settled;
  const auto take = [&] {
    for (const motion::TrackRow& row : tracker.takeFinalised()) settled.push_back(row);
  };
  for (size_t f = 0; f < recording.frames.size(); ++f) {
    tracker.update(frameAt(f, recording.times[f]), recording.frames[f]);
    for (const motion::TrackRow& row : tracker.live())
      if (row.state == motion::TrackState::measured)
        live[{row.frame.value(), row.x}] = row.track.value();
    take();
  }
  tracker.finish();
  take();
  ASSERT_GT(tracker.stitches(), 20u);
  size_t shown = 0;
  for (const motion::TrackRow& row : settled) {
    const auto seen = live.find({row.frame.value(), row.x});
    if (seen == live.end()) continue;
    ++shown;
    EXPECT_EQ(seen->second, row.track) << "frame " << row.frame;
  }
  EXPECT_GT(shown, settled.size() * 8 / 10);  // Markers are not shown before they are confirmed.
}

// According to the truth, nearly all joins are right. Without stitching each gap is a switch.
TEST(Stitcher, JoinsAreRight) {
  Settings off;
  off.track.stitchGap = 0;
  uint64_t joined = 0, before = 0, after = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    test::Scene scene = test::longOcclusions(30, 2);
    scene.seed = seed;
    const Recording recording = simulate(scene);
    const test::Followed apart = follow(recording, off), together = follow(recording);
    EXPECT_EQ(apart.rows.size(), together.rows.size());
    EXPECT_GT(judge(together, recording).score.idf1, judge(apart, recording).score.idf1 + 0.1);
    joined += together.stitches;
    before += judge(apart, recording).score.switches;
    after += judge(together, recording).score.switches;
  }
  EXPECT_GT(joined, 60u);
  EXPECT_LE(after + joined, before + joined / 20);  // At most one join in 20 is still a switch.
}

}  // namespace
}  // namespace glint
