// Makes frames of observations, and follows them with a tracker.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/motion/track/tracker.h"
#include "tests/numbers.h"

namespace glint::test {

using Frames = std::vector<std::vector<motion::Observation>>;

inline motion::Observation at(double x, double y = 100) {
  motion::Observation seen;
  seen.x = x;
  seen.y = y;
  seen.sigmaX = seen.sigmaY = 0.05;
  seen.mass = 1000;
  seen.radius = 3;
  return seen;
}

inline motion::Tracker makeTracker(
    const Settings& settings = {},
    std::shared_ptr<motion::TrackIds> ids = std::make_shared<motion::TrackIds>(),
    const motion::TrackerOptions& options = {}) {
  return motion::Tracker(settings.track, std::move(ids), options);
}

/// Returns all rows of the frames, at 60 frames per second. They are taken as soon as they are
/// final.
inline std::vector<motion::TrackRow> trackFrames(const Frames& frames,
                                                 const Settings& settings = {},
                                                 const motion::TrackerOptions& options = {}) {
  motion::Tracker tracker = makeTracker(settings, std::make_shared<motion::TrackIds>(), options);
  std::vector<motion::TrackRow> rows;
  const auto take = [&] {
    for (const motion::TrackRow& row : tracker.takeFinalised()) rows.push_back(row);
  };
  for (size_t f = 0; f < frames.size(); ++f) {
    tracker.update(frameAt(f, static_cast<double>(f) / 60), frames[f]);
    take();
  }
  tracker.finish();
  take();
  return rows;
}

/// Returns frames with a marker at x = 100 + 3 f (px), which is visible unless `visible` has '.'
/// for the frame f.
inline Frames steady(const std::string& visible) {
  Frames frames(visible.size());
  for (size_t f = 0; f < frames.size(); ++f)
    if (visible[f] != '.') frames[f].push_back(at(100 + 3 * static_cast<double>(f)));
  return frames;
}

inline auto asTuple(const motion::TrackRow& r) {
  return std::tuple(r.frame, r.time, r.track, r.state, r.x, r.y, r.vx, r.vy, r.seen.x, r.seen.mass,
                    r.seen.sigmaX);
}

inline void expectSame(const std::vector<motion::TrackRow>& a,
                       const std::vector<motion::TrackRow>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) ASSERT_EQ(asTuple(a[i]), asTuple(b[i])) << "row " << i;
}

}  // namespace glint::test
