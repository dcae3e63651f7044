// Tests points that are followed: ids, gaps, times, and what each row says.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "app/motion/geometry/rotation.h"
#include "app/motion/space/point_tracker.h"
#include "app/motion/space/space_counts.h"
#include "tests/geometry/rigs.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

Settings::Track settings() {
  return Settings().track;
}

std::shared_ptr<const motion::SpaceRig> shared(const motion::Rig& rig) {
  return std::make_shared<const motion::SpaceRig>(rig);
}

constexpr double kRate = 100;  // Hz

/// Returns all rows of a tracker that gets these sets.
std::vector<motion::SpaceRow> track(const motion::Rig& rig,
                                    const std::vector<motion::SpaceSet>& sets) {
  motion::PointTracker tracker(shared(rig), settings());
  std::vector<motion::SpaceRow> rows;
  const auto take = [&] {
    for (motion::SpaceRow& row : tracker.takeFinalised()) rows.push_back(row);
  };
  for (const motion::SpaceSet& set : sets) {
    tracker.update(set);
    take();
  }
  tracker.finish();
  take();
  return rows;
}

TEST(PointTracker, FollowsASwarm) {
  std::mt19937 random(11);
  const motion::Rig rig = ringRig(6);
  const Swarm swarm(30, random);
  std::vector<motion::SpaceSet> sets;
  for (uint64_t f = 0; f < 200; ++f)
    sets.push_back(viewOf(rig, swarm.at(double(f) / kRate),
                          {.unseen = 0.2, .time = double(f) / kRate, .frame = f}, random));
  std::map<uint64_t, size_t> markers;  // The marker on which each id began.
  size_t measured = 0, swaps = 0, ghosts = 0;
  Eigen::Vector2d last(-1, 0);
  for (const motion::SpaceRow& row : track(rig, sets)) {
    const Eigen::Vector2d key(double(row.frame), double(row.point));
    EXPECT_TRUE(key.x() > last.x() || (key.x() == last.x() && key.y() > last.y()));
    last = key;
    const Places truth = swarm.at(row.time);
    size_t nearest = 0;
    for (size_t m = 0; m < truth.size(); ++m)
      if ((truth[m] - row.at).norm() < (truth[nearest] - row.at).norm()) nearest = m;
    if ((truth[nearest] - row.at).norm() > 15) {
      ++ghosts;
      continue;
    }
    measured += row.state == motion::TrackState::measured;
    swaps += markers.emplace(row.point, nearest).first->second != nearest;
    EXPECT_EQ(row.state == motion::TrackState::measured, row.rays() >= 2);
    EXPECT_EQ(row.flags & motion::kRigUnknown, motion::kRigUnknown);
  }
  EXPECT_EQ(ghosts, 0u);
  EXPECT_EQ(swaps, 0u);
  EXPECT_LE(markers.size(), 31u);
  EXPECT_GT(measured, 30u * 200 * 0.97);
}

/// Returns sets of markers that move along `path`. A camera c has no dots in the frames f for which
/// hides(f, c) is true.
std::vector<motion::SpaceSet> setsOf(const motion::Rig& rig, uint64_t frames, const auto& path,
                                     const auto& hides) {
  std::mt19937 random(12);
  std::vector<motion::SpaceSet> sets;
  for (uint64_t f = 0; f < frames; ++f) {
    motion::SpaceSet set =
        viewOf(rig, path(double(f) / kRate), {.time = double(f) / kRate, .frame = f}, random);
    for (size_t c = 0; c < rig.cameras.size(); ++c)
      if (hides(f, c)) set.views[c].dots.clear();
    sets.push_back(std::move(set));
  }
  return sets;
}

Places oneMarker(double time) {
  return {{300 * std::sin(3 * time), 200 * std::cos(2 * time), 400 * time - 200}};
}

TEST(PointTracker, FillsAGapBetweenItsEnds) {
  const auto sets = setsOf(ringRig(4), 60, oneMarker, [](uint64_t, size_t) { return false; });
  auto gap = sets;
  // Another marker far away keeps the sets from being empty.
  for (uint64_t f = 0; f < 60; ++f)
    for (size_t c = 0; c < 4; ++c) {
      if (f >= 30 && f < 38) gap[f].views[c].dots.clear();
      gap[f].views[c].dots.push_back({{40.0 + double(c) * 100, 30}, {0.1, 0.1}});
    }
  const auto rows = track(ringRig(4), gap);
  ASSERT_EQ(rows.size(), 60u);
  std::vector<double> sigmas;
  for (const motion::SpaceRow& row : rows) {
    const bool away = row.frame >= 30 && row.frame < 38;
    EXPECT_EQ(row.point, 1u);
    EXPECT_EQ(row.state == motion::TrackState::predicted, away);
    EXPECT_EQ(row.rays(), away ? 0 : 4);
    const Eigen::Vector3d off = row.at - oneMarker(row.time)[0];
    EXPECT_LT(off.norm(), 4);
    if (!away) continue;
    EXPECT_LT(off.dot(row.covariance.inverse() * off), 30) << row.frame;
    sigmas.push_back(row.covariance.trace());
  }
  EXPECT_GT(sigmas[4], sigmas[0]);
  EXPECT_GT(sigmas[4], sigmas[7]);
}

TEST(PointTracker, GoesOnWithTwoRaysAndIsPredictedWithOne) {
  const auto sets = setsOf(ringRig(4), 60, oneMarker, [](uint64_t f, size_t c) {
    return (f >= 20 && c >= 2) || (f >= 40 && f < 45 && c >= 1);
  });
  const auto rows = track(ringRig(4), sets);
  ASSERT_EQ(rows.size(), 60u);
  for (const motion::SpaceRow& row : rows) {
    const bool alone = row.frame >= 40 && row.frame < 45;
    EXPECT_EQ(row.state == motion::TrackState::predicted, alone);
    EXPECT_EQ(row.rays(), row.frame < 20 ? 4 : alone ? 1 : 2);
    EXPECT_LT((row.at - oneMarker(row.time)[0]).norm(), 4) << row.frame;
  }
}

TEST(PointTracker, PredictsToEachCamerasTime) {
  const motion::Rig rig = ringRig(4);
  const auto fast = [](double time) {
    return Places{{2000 * time - 600, 300 * std::sin(8 * time), 0}};
  };
  std::mt19937 random(13);
  std::vector<motion::SpaceSet> sets;
  for (uint64_t f = 0; f < 60; ++f) {
    motion::SpaceSet set{f, {}};
    for (size_t c = 0; c < 4; ++c) {
      // Later cameras see the marker up to 6 ms, that is 12 mm, later.
      const double time = (double(f) + 0.2 * double(c)) / kRate;
      const motion::SpaceSet own = viewOf(rig, fast(time), {.time = time, .frame = f}, random);
      set.views.push_back(own.views[c]);
    }
    sets.push_back(std::move(set));
  }
  double worst = 0;
  for (const motion::SpaceRow& row : track(rig, sets)) {
    EXPECT_EQ(row.flags & motion::kTimesApart, motion::kTimesApart);
    if (row.frame > 10) worst = std::max(worst, (row.at - fast(row.time)[0]).norm());
  }
  EXPECT_LT(worst, 2.5);
}

TEST(PointTracker, AllowsForRowsThatAreReadOneAfterTheOther) {
  // The cameras read their rows in 8 ms, in which the marker moves 16 mm. If the rig says nothing
  // about that, the points are off by several mm.
  constexpr double kReadout = 0.008;
  motion::Rig rig = ringRig(4);
  const auto fast = [](double time) {
    return Places{{2000 * time - 600, 300 * std::sin(8 * time), 400 * std::cos(6 * time)}};
  };
  std::mt19937 random(14);
  std::vector<motion::SpaceSet> sets;
  for (uint64_t f = 0; f < 60; ++f) {
    motion::SpaceSet set{f, {}};
    for (size_t c = 0; c < 4; ++c) {
      const motion::RigCamera& camera = rig.cameras[c];
      const double middle = double(f) / kRate;
      double time = middle;
      for (int round = 0; round < 8; ++round) {
        const double y = motion::project(camera.lens, camera.pose, fast(time)[0]).pixel.y();
        time = middle + kReadout * ((y + 0.5) / camera.height - 0.5);
      }
      motion::SpaceSet own = viewOf(rig, fast(time), {.time = middle, .frame = f}, random);
      set.views.push_back(own.views[c]);
    }
    sets.push_back(std::move(set));
  }
  const auto worst = [&] {
    double most = 0;
    for (const motion::SpaceRow& row : track(rig, sets))
      if (row.frame > 10) most = std::max(most, (row.at - fast(row.time)[0]).norm());
    return most;
  };
  const double without = worst();
  for (motion::RigCamera& camera : rig.cameras) camera.readout = kReadout;
  EXPECT_LT(worst(), 1);
  EXPECT_GT(without, 3);
}

/// The results of two cameras that see a swarm of 20 markers. `ghosts` is the share of measured
/// rows that are more than 30 mm away from all markers, and `within` the share that contain the
/// nearest marker in their 95 % ellipsoids.
struct Pair {
  double floor = 0;  // px
  unsigned flags = 0;
  double ghosts = 0, within = 0;
};
Pair twoCameras(bool exact) {
  std::mt19937 random(17);
  motion::Rig truth = ringRig(6);
  truth.cameras.resize(2);
  truth.exact = exact;
  motion::PointTracker tracker(shared(truth), settings());
  const Swarm swarm(20, random);
  Pair pair;
  size_t rows = 0;
  for (uint64_t f = 0; f < 400; ++f) {
    const double time = double(f) / kRate;
    tracker.update(viewOf(truth, swarm.at(time), {.time = time, .frame = f}, random));
    for (const motion::SpaceRow& row : tracker.takeFinalised()) {
      if (row.frame < 100 || row.state != motion::TrackState::measured) continue;
      Eigen::Vector3d off(1e9, 0, 0);
      for (const Eigen::Vector3d& at : swarm.at(row.time))
        if ((row.at - at).norm() < off.norm()) off = row.at - at;
      ++rows;
      pair.ghosts += off.norm() > 30;
      pair.within += off.dot(row.covariance.inverse() * off) < 7.814728;
      pair.flags |= row.flags;
    }
  }
  EXPECT_GT(rows, 1000u);
  pair.floor = std::sqrt(tracker.floor().variance(0));
  EXPECT_EQ(pair.floor, std::sqrt(tracker.floor().variance(1)));
  pair.ghosts /= double(rows), pair.within /= double(rows);
  return pair;
}

TEST(PointTracker, LearnsTheFloorFromTwoCamerasAlone) {
  const Pair exact = twoCameras(true);
  EXPECT_LT(exact.floor, 0.05);
  EXPECT_EQ(exact.flags, 0u);
  EXPECT_EQ(exact.ghosts, 0);
  EXPECT_GT(exact.within, 0.93);
  EXPECT_LT(exact.within, 0.97);
  // Two cameras cannot see errors along the epipolar lines, so a rig of unknown accuracy leaves the
  // floor unknown.
  const Pair unknown = twoCameras(false);
  EXPECT_EQ(unknown.floor, motion::NoiseFloorOptions().start);
  EXPECT_EQ(unknown.flags, unsigned{motion::kFloorUnknown | motion::kRigUnknown});
}

TEST(PointTracker, StitchesWhatWasAwayForLong) {
  std::mt19937 random(14);
  const motion::Rig rig = ringRig(6);
  const Places body{{0, 0, 0}, {100, 0, 0}, {0, 120, 0}, {0, 0, 150}, {90, 110, 0}, {60, 0, 140}};
  const auto path = [&](double time) {
    const Eigen::AngleAxisd turn(2 * time, Eigen::Vector3d(0.3, 0.2, 1).normalized());
    Places places;
    for (const Eigen::Vector3d& at : body)
      places.push_back(turn * at + Eigen::Vector3d(500 * std::sin(time), 300 * time - 300, 0));
    return places;
  };
  std::vector<motion::SpaceSet> sets;
  for (uint64_t f = 0; f < 150; ++f) {
    Places seen = path(double(f) / kRate);
    // Two of the markers are hidden for 0.6 s.
    if (f >= 50 && f < 110) seen.erase(seen.begin(), seen.begin() + 2);
    sets.push_back(viewOf(rig, seen, {.time = double(f) / kRate, .frame = f}, random));
  }
  std::map<uint64_t, std::set<size_t>> markers;
  for (const motion::SpaceRow& row : track(rig, sets)) {
    const Places truth = path(row.time);
    for (size_t m = 0; m < truth.size(); ++m)
      if ((truth[m] - row.at).norm() < 10) markers[row.point].insert(m);
  }
  ASSERT_EQ(markers.size(), 6u);
  for (const auto& [id, of] : markers) EXPECT_EQ(of.size(), 1u) << id;
}

TEST(PointTracker, IsTheSameWithAndWithoutEmptySets) {
  const auto hidden = [](uint64_t f, size_t) { return f >= 20 && f < 25; };
  const auto with = setsOf(ringRig(4), 50, oneMarker, hidden);
  auto without = with;
  std::erase_if(without, [](const motion::SpaceSet& set) { return set.empty(); });
  ASSERT_EQ(without.size(), 45u);
  const auto a = track(ringRig(4), with), b = track(ringRig(4), without);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].at, b[i].at);
    EXPECT_EQ(a[i].covariance, b[i].covariance);
    EXPECT_EQ(a[i].frame, b[i].frame);
  }
}

TEST(PointTracker, KeepsWhatItRefusesWithTheReason) {
  // Two dots meet in a point that other cameras should see, too. These cameras see a different
  // marker only.
  const motion::Rig rig = ringRig(8);
  std::mt19937 random(15);
  motion::PointTracker tracker(shared(rig), settings(), false, true);
  motion::SpaceSet set = viewOf(rig, {{0, 0, 0}}, {}, random);
  const motion::SpaceSet other = viewOf(rig, {{700, 300, 200}}, {}, random);
  for (size_t c = 2; c < 8; ++c) set.views[c].dots.clear();
  for (size_t c = 0; c < 8; ++c)
    for (const motion::SpaceDot& dot : other.views[c].dots) set.views[c].dots.push_back(dot);
  tracker.update(set);
  const auto refused = tracker.takeRefused();
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].reason, motion::GroupRefusal::unseen);
  EXPECT_EQ(refused[0].cameras, 3u);
  EXPECT_LT(refused[0].at.norm(), 5);
  // In two more sets only one camera sees anything.
  for (const uint64_t frame : {1, 2}) {
    motion::SpaceSet later{frame, std::vector<motion::SpaceView>(8)};
    later.views[0] = {double(frame) / kRate, {{{40, 30}, {0.1, 0.1}}}};
    tracker.update(later);
  }
  tracker.finish();
  const auto young = tracker.takeRefused();
  ASSERT_EQ(young.size(), 1u);
  EXPECT_EQ(young[0].reason, motion::GroupRefusal::unconfirmed);
  EXPECT_TRUE(tracker.takeFinalised().empty());
}

TEST(PointTracker, KeepsThePointsOfTheOnlySet) {
  std::mt19937 random(18);
  const motion::Rig rig = ringRig(4);
  const Places markers = anywhere(40, random);
  std::vector<int> counts;
  const motion::SpaceSet set = viewOf(rig, markers, {}, random, &counts);
  const auto due = size_t(std::count_if(counts.begin(), counts.end(), [](int n) { return n > 2; }));
  motion::PointTracker tracker(shared(rig), settings());
  tracker.update(set);
  EXPECT_TRUE(tracker.now().empty());
  EXPECT_TRUE(tracker.hasFewSets());
  tracker.finish();
  const auto rows = tracker.takeFinalised();
  EXPECT_GE(rows.size(), due);
  Places found;
  for (const motion::SpaceRow& row : rows) found.push_back(row.at);
  EXPECT_EQ(agreement(found, markers, std::vector<bool>(40)).ghosts, 0u);
  motion::SpaceCounts spaceCounts;
  spaceCounts.take(tracker);
  EXPECT_NE(motion::doubtsSummary(spaceCounts).find("of 1 set only"), std::string::npos);
}

/// The results of a run in which camera 2 of a rig turns about its own place while a swarm moves.
struct Turned {
  std::vector<std::string> notes;
  std::shared_ptr<const motion::SpaceRig> rig;  // The rig at the end of the run.
  motion::Pose pose;                            // The true pose of camera 2 after the turn.
  // Counts over the last 100 sets: `later` counts the rows, and `rays` those of them that used
  // camera 2.
  size_t rays = 0, later = 0;
  double squares = 0;  // The sum of the squared errors of these rows, mm^2.
};

Turned turn(double degrees, bool corrects, uint64_t when = 200, bool unsure = false) {
  std::mt19937 random(16);
  motion::Rig rig = ringRig(6);
  Eigen::MatrixXd known =
      1e-8 * Eigen::MatrixXd::Identity(6 * motion::kCameraNumbers, 6 * motion::kCameraNumbers);
  const Eigen::Index own = 2 * motion::kCameraNumbers + motion::Lens::kNumbers;
  if (unsure) known.diagonal().segment<6>(own) << 8e-5, 8e-5, 8e-5, 400, 400, 400;
  motion::setCovariance(rig, known);
  motion::Rig turned = rig;
  motion::Pose& pose = turned.cameras[2].pose;
  const Eigen::Matrix3d rotation =
      motion::rotationOf({0, degrees * std::numbers::pi / 180, 0}) * pose.matrix();
  pose = {motion::rodriguesOf(rotation), -(rotation * pose.centre())};
  const Swarm swarm(20, random);
  motion::PointTracker tracker(std::make_shared<const motion::SpaceRig>(rig, corrects), settings());
  Turned result;
  result.pose = pose;
  for (uint64_t f = 0; f < 500; ++f) {
    const double time = double(f) / kRate;
    tracker.update(viewOf(f < when ? rig : turned, swarm.at(time),
                          {.unseen = 0.1, .time = time, .frame = f}, random));
    motion::SpaceFrame frame = tracker.takeFrame();
    result.rig = frame.rig;
    for (std::string& note : frame.notes) result.notes.push_back(std::move(note));
    if (f < 400) continue;
    const Places truth = swarm.at(time);
    for (const motion::SpaceRow& row : frame.now) {
      double least = 1e9;
      for (const Eigen::Vector3d& at : truth) least = std::min(least, (row.at - at).squaredNorm());
      ++result.later, result.rays += row.cameras >> 2 & 1, result.squares += least;
    }
  }
  return result;
}

TEST(PointTracker, SaysOnceThatACameraMoved) {
  const auto notes = turn(0.3, false).notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("camera 2 moved by about 0.3 degrees since frame 2"), std::string::npos)
      << notes[0];
  EXPECT_NE(notes[0].find("; calibrate again"), std::string::npos);
  EXPECT_TRUE(turn(0, false).notes.empty());
}

TEST(PointTracker, CorrectsACameraThatMoved) {
  const Turned without = turn(0.3, false), with = turn(0.3, true), still = turn(0, true);
  ASSERT_EQ(with.notes.size(), 1u);
  EXPECT_NE(with.notes[0].find("; corrected from frame "), std::string::npos) << with.notes[0];
  const auto share = [](const Turned& t) { return double(t.rays) / double(t.later); };
  EXPECT_LT(share(without), 0.1);
  EXPECT_GT(share(with), 0.95 * share(still));
  EXPECT_LT(with.squares / double(with.later), 1.1 * still.squares / double(still.later));
  const motion::Pose& found = (*with.rig)[2].camera().pose;
  EXPECT_LT(motion::rodriguesOf(found.matrix() * with.pose.matrix().transpose()).norm(), 3e-4);
  EXPECT_LT((found.centre() - with.pose.centre()).norm(), 3);
  // The stated covariance of the corrected camera holds, and the other cameras were not changed.
  const Eigen::MatrixXd full = motion::fullCovariance(with.rig->rig());
  const Eigen::Index at = 2 * motion::kCameraNumbers + motion::Lens::kNumbers;
  Eigen::Matrix<double, 6, 1> off;
  off << found.rotation - with.pose.rotation, found.translation - with.pose.translation;
  EXPECT_LT(off.dot(full.block<6, 6>(at, at).inverse() * off), 30);
  EXPECT_EQ((*with.rig)[1].camera().pose.rotation, (*without.rig)[1].camera().pose.rotation);
  EXPECT_EQ((*without.rig)[2].camera().pose.rotation, (*still.rig)[2].camera().pose.rotation);
}

TEST(PointTracker, CorrectsACameraThatStoodWrongFromTheFirstSet) {
  const Turned without = turn(0.2, false, 0), with = turn(0.2, true, 0);
  ASSERT_EQ(without.notes.size(), 1u);
  EXPECT_NE(without.notes[0].find("since the first frame; calibrate again"), std::string::npos);
  ASSERT_EQ(with.notes.size(), 1u) << with.notes[0];
  EXPECT_TRUE(with.notes[0].starts_with(
      "camera 2 stands about 0.2 degrees from where the rig says; corrected from frame "))
      << with.notes[0];
  EXPECT_NE(with.notes[0].find(", more than the rig's covariance allows"), std::string::npos);
  EXPECT_LT(with.squares / double(with.later), 0.5 * without.squares / double(without.later));
  const motion::Pose& found = (*with.rig)[2].camera().pose;
  EXPECT_LT(motion::rodriguesOf(found.matrix() * with.pose.matrix().transpose()).norm(), 3e-4);
  EXPECT_LT((found.centre() - with.pose.centre()).norm(), 3);
  const Turned allowed = turn(0.2, true, 0, true);
  ASSERT_EQ(allowed.notes.size(), 1u);
  EXPECT_EQ(allowed.notes[0].find("more than"), std::string::npos) << allowed.notes[0];
}

}  // namespace
}  // namespace glint::test
