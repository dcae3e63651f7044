// Gives ids to the points in space.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "app/motion/space/point_stitcher.h"
#include "app/motion/space/point_track.h"
#include "app/motion/space/set_clock.h"
#include "config/settings.h"

namespace glint::motion {

/// Gives ids to tracks that have been measured often enough: new ones, or that of an ended track
/// which the new one continues (PointStitcher).
class PointIds {
 public:
  /// Uses maxGap, confirm and stitchGap of `settings`.
  PointIds(const Settings::Track& settings, const PointStitcherOptions& options)
      : settings_(settings), stitcher_(settings.stitchGap, options) {}
  /// Changes the settings from the next set on.
  void apply(const Settings::Track& settings);

  /// Gives ids to the tracks that have enough measurements.
  void confirm(std::span<PointTrack> tracks, const SetClock& clock);
  /// Remembers a confirmed track that has ended.
  void remember(const PointTrack& track);

  uint64_t given() const { return given_; }  ///< ids so far
  uint64_t stitches() const { return stitcher_.stitches(); }

 private:
  Settings::Track settings_;
  PointStitcher stitcher_;
  /// The places of points with ids, by frame, in the sets that a track may have been measured in
  /// last.
  std::deque<std::pair<uint64_t, std::vector<PointPlace>>> scenes_;
  uint64_t given_ = 0;
};

}  // namespace glint::motion
