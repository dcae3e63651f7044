// Tests which frames of freely running live cameras go together, and how long a set waits for them.
// The test has a clock of its own.
#include "app/capture/sets/set_timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace glint {
namespace {

using Clock = capture::CameraTiming::Clock;
using Seconds = capture::CameraTiming::Seconds;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kTurn = 0.02;  // The interval at which feeds look again while they wait, s.

/// A simulated live camera that runs freely.
struct FreeCamera {
  double rate = 30, phase = 0;  ///< The rate (frames/s), and the time of the first frame (s).
  /// The jitter of its times, and the time until a frame has arrived, both in s.
  double jitter = 0, transit = 0.004;
  double falls = kNever;        ///< The time after which nothing comes any more, s.
  bool reportsFailure = false;  ///< True if the camera reports at once that it has failed.
  uint64_t skips = 0;           ///< One in this many frames never comes; 0: all frames come.
};

/// A set that was made of the cameras' frames.
struct MadeSet {
  std::vector<std::optional<double>> times;  ///< The time of each camera's frame, s.
  /// The times at which its last frame arrived and at which the set was taken, s.
  double complete = 0, taken = 0;

  size_t frames() const {
    return static_cast<size_t>(std::ranges::count_if(times, [](auto& t) { return t.has_value(); }));
  }
  double span() const {
    double first = kNever, last = -kNever;
    for (const auto& time : times)
      if (time) first = std::min(first, *time), last = std::max(last, *time);
    return last - first;
  }
};

/// A frame that arrives `at` a time (s) and was taken at `time` (s). kNever for `time` means that
/// the camera reports its failure.
struct Arrival {
  double at;
  size_t camera;
  double time;
  double intervals;  ///< The number of intervals since the camera's frame before.
};

Clock::time_point wall(double seconds) {
  return Clock::time_point(std::chrono::duration_cast<Clock::duration>(Seconds(100 + seconds)));
}

double sinceBegin(Clock::time_point time) {
  return Seconds(time.time_since_epoch()).count() - 100;
}

class SetTiming : public testing::Test {
 protected:
  std::vector<Arrival> arrivalsOf(double seconds) {
    std::mt19937 random(4);
    std::vector<Arrival> all;
    for (size_t c = 0; c < cameras.size(); ++c) {
      const FreeCamera& camera = cameras[c];
      std::uniform_real_distribution<double> jitter(-camera.jitter, camera.jitter);
      for (uint64_t n = 0, before = 0;; ++n) {
        const double time = camera.phase + static_cast<double>(n) / camera.rate + jitter(random);
        if (time > std::min(seconds, camera.falls)) break;
        if (camera.skips > 0 && n % camera.skips == camera.skips - 1) continue;
        all.push_back({time + camera.transit, c, time, static_cast<double>(n - before)});
        before = n;
      }
      if (camera.reportsFailure) all.push_back({camera.falls, c, kNever, 0});
    }
    std::ranges::sort(all, {}, &Arrival::at);
    return all;
  }

  /// Returns all sets that follow from the frames of `seconds` seconds. `dropped` then counts the
  /// frames that were replaced by newer ones.
  std::vector<MadeSet> run(double seconds, double window = 0, double wait = 10) {
    std::vector<capture::CameraTiming> timings(cameras.size());
    std::vector<double> there(cameras.size());
    std::vector<MadeSet> sets;
    dropped = 0;
    const auto takeSets = [&](double from, double until) {
      for (double now = from; now < until;) {
        const auto span = capture::nextSet(timings, window);
        if (!span) return;
        const double due = sinceBegin(capture::waitsUntil(timings, *span, wait, wall(now)));
        if (due > now + 1e-7) {
          now = std::min(due, now + kTurn);
          continue;
        }
        MadeSet set;
        for (size_t c = 0; c < timings.size(); ++c) {
          const bool belongs = timings[c].belongsTo(*span);
          set.times.push_back(belongs ? std::optional(timings[c].newest) : std::nullopt);
          if (!belongs) continue;
          timings[c].fresh = false;
          set.complete = std::max(set.complete, there[c]);
        }
        set.taken = now;
        sets.push_back(std::move(set));
      }
    };
    const std::vector<Arrival> arrivals = arrivalsOf(seconds);
    for (size_t i = 0; i < arrivals.size(); ++i) {
      const auto& [at, c, time, intervals] = arrivals[i];
      if (time == kNever) {
        timings[c].lose();
      } else {
        if (timings[c].fresh) ++dropped;
        timings[c].see(time, intervals, wall(at));
        there[c] = at;
      }
      takeSets(at, i + 1 < arrivals.size() ? arrivals[i + 1].at : at + 1);
    }
    return sets;
  }

  /// Returns the sets without the first ones, during which intervals are not known yet, and without
  /// the last two, which the end may have cut short.
  static std::vector<MadeSet> later(std::vector<MadeSet> sets, size_t from = 12) {
    sets.erase(sets.begin(), sets.begin() + static_cast<ptrdiff_t>(std::min(from, sets.size())));
    sets.resize(sets.size() - std::min<size_t>(sets.size(), 2));
    return sets;
  }

  std::vector<FreeCamera> cameras;
  uint64_t dropped = 0;
};

TEST_F(SetTiming, TwoFreeCamerasShareEverySetInWhateverPhase) {
  for (const double phase : {0.0, 0.008, 0.012, 0.016, 0.0167, 0.020, 0.030, 0.033}) {
    SCOPED_TRACE(phase);
    cameras = {{.jitter = 0.001}, {.phase = phase, .jitter = 0.001, .transit = 0.009}};
    const auto sets = later(run(20));
    EXPECT_GT(sets.size(), 560U);
    EXPECT_EQ(dropped, 0U);
    for (const MadeSet& set : sets) {
      EXPECT_EQ(set.frames(), 2U);
      EXPECT_LT(set.span(), 0.6 / 30 + 0.001);
      EXPECT_NEAR(set.taken, set.complete, 1e-6) << "nothing else is waited for";
    }
  }
}

TEST_F(SetTiming, CamerasThatDriftPassThroughAllPhasesAndLoseNothing) {
  for (const auto& [rate, seconds] : {std::pair{29.97, 120.0}, {30.03, 120.0}, {29.5, 20.0}}) {
    SCOPED_TRACE(rate);
    cameras = {{.jitter = 0.001}, {.rate = rate, .jitter = 0.001}};
    const auto sets = later(run(seconds));
    EXPECT_EQ(dropped, 0U);
    // One camera takes so many more pictures than the other, and each of them is alone in its set.
    const auto more = static_cast<size_t>(std::abs(30 - rate) * seconds);
    const auto lone = std::ranges::count(sets, size_t{1}, &MadeSet::frames);
    EXPECT_LE(static_cast<size_t>(lone), more + 2);
    EXPECT_GE(static_cast<size_t>(lone), more - 1);
    for (size_t i = 1; i < sets.size(); ++i)
      EXPECT_TRUE(sets[i].frames() == 2 || sets[i - 1].frames() == 2) << i << ": no turns";
  }
}

TEST_F(SetTiming, ThreeAndFourFreeCamerasShareEverySet) {
  constexpr int kSteps = 12;
  for (int b = 0; b < kSteps; ++b) {
    for (int c = b; c < kSteps; ++c) {
      for (const bool fourth : {false, true}) {
        cameras = {{}, {.phase = b / (30.0 * kSteps)}, {.phase = c / (30.0 * kSteps)}};
        if (fourth) cameras.push_back({.phase = 0.7 / 30});
        for (FreeCamera& camera : cameras) camera.jitter = 0.0005;
        SCOPED_TRACE(testing::Message() << b << ", " << c << ", cameras: " << cameras.size());
        const auto sets = later(run(2));
        EXPECT_GT(sets.size(), 40U);
        EXPECT_EQ(dropped, 0U);
        for (const MadeSet& set : sets) EXPECT_EQ(set.frames(), cameras.size());
      }
    }
  }
}

TEST_F(SetTiming, ASlowerCameraJoinsTheOthersAndDelaysOnlyThoseSets) {
  for (const double phase : {0.0, 0.004, 0.009, 0.014}) {
    SCOPED_TRACE(phase);
    cameras = {{.rate = 60, .jitter = 0.0005}, {.rate = 12, .phase = phase, .jitter = 0.0005}};
    const auto sets = later(run(10), 60);
    EXPECT_EQ(dropped, 0U);
    for (const MadeSet& set : sets) {
      EXPECT_TRUE(set.times[0]) << "the slow one is never alone";
      EXPECT_NEAR(set.taken, set.complete, 1e-6);
    }
    EXPECT_NEAR(static_cast<double>(std::ranges::count(sets, size_t{2}, &MadeSet::frames)),
                static_cast<double>(sets.size()) / 5, 2);
  }
}

TEST_F(SetTiming, ACameraThatIsLostIsNotWaitedFor) {
  cameras = {{}, {.phase = 0.012}, {.phase = 0.016, .falls = 3, .reportsFailure = true}};
  size_t between = 0;  // The one set that is cut short by the failure.
  for (const MadeSet& set : later(run(6))) {
    if (!set.times[0] || !set.times[1]) {
      ++between;
      continue;
    }
    EXPECT_NEAR(set.taken, set.complete, 1e-6);
    EXPECT_EQ(set.frames(), *set.times[0] < 2.99 ? 3U : 2U);
  }
  EXPECT_LE(between, 1U);
  EXPECT_EQ(dropped, 0U);
}

TEST_F(SetTiming, ACameraThatFallsSilentDelaysTheOthersForThreeIntervalsAndDropsNothing) {
  cameras = {{}, {.phase = 0.016, .falls = 3}};
  size_t late = 0;
  for (const MadeSet& set : later(run(6))) {
    EXPECT_TRUE(set.times[0]);
    EXPECT_LE(set.taken - set.complete, 0.016 + 0.010 + 1e-6);
    if (set.taken - set.complete > 1e-6) ++late;
  }
  EXPECT_GE(late, 1U);
  EXPECT_LE(late, 3U);
  EXPECT_EQ(dropped, 0U);
}

TEST_F(SetTiming, AFrameThatIsSkippedDelaysOneSet) {
  cameras = {{}, {.phase = 0.012, .skips = 10}};
  const auto sets = later(run(10));
  size_t alone = 0;
  for (const MadeSet& set : sets) {
    EXPECT_TRUE(set.times[0]);
    if (set.frames() == 1) ++alone;
    EXPECT_NEAR(set.taken - set.complete, set.frames() == 2 ? 0 : 0.012 + 0.010, 1e-6);
  }
  EXPECT_NEAR(static_cast<double>(alone), static_cast<double>(sets.size()) / 10, 2);
  EXPECT_EQ(dropped, 0U);
}

TEST_F(SetTiming, WhatIsAskedForHolds) {
  cameras = {{}, {.phase = 0.012}};
  for (const MadeSet& set : later(run(5, 8))) EXPECT_EQ(set.frames(), 1U) << "a window of 8 ms";
  for (const MadeSet& set : later(run(5, 0, 0))) EXPECT_EQ(set.taken, set.complete);
  cameras[1].transit += 0.008;
  for (const MadeSet& set : later(run(5, 0, 9))) EXPECT_EQ(set.frames(), 2U);
}

TEST(SetTimingOptions, SetTheFirstWindow) {
  capture::CameraTiming camera;
  camera.see(5, 1, wall(0));
  const std::array cameras{camera};
  const auto usual = capture::nextSet(cameras, 0);
  const auto wide = capture::nextSet(cameras, 0, {.firstWindow = std::chrono::milliseconds(20)});
  ASSERT_TRUE(usual && wide);
  EXPECT_NEAR(usual->last - usual->first, 0.010, 1e-9);
  EXPECT_NEAR(wide->last - wide->first, 0.020, 1e-9);
}

}  // namespace
}  // namespace glint
