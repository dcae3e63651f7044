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

/// Gives ids to tracks that have enough measurements. A track gets a new id, or that of an ended
/// track that it continues (PointStitcher).
class PointIds {
 public:
  /// Uses maxGap, confirm and stitchGap of `settings`.
  PointIds(const Settings::Track& settings, const PointStitcherOptions& options)
      : settings_(settings), stitcher_(settings.stitchGap, options) {}
  /// Changes the settings for all following sets.
  void apply(const Settings::Track& settings);

  /// Gives ids to the tracks that have enough measurements. Such a track may also continue one that
  /// is still being predicted, which is removed then.
  void confirm(std::vector<PointTrack>& tracks, const SetClock& clock);
  /// Gives ids to all tracks that were measured in every set so far, because there will be no more.
  void confirmRest(std::span<PointTrack> tracks, const SetClock& clock);
  /// Remembers a confirmed track that has ended.
  void remember(const PointTrack& track);

  /// Returns the number of ids given so far.
  uint64_t given() const { return given_; }
  uint64_t stitches() const { return stitcher_.stitches(); }

 private:
  Settings::Track settings_;
  PointStitcher stitcher_;
  /// Positions of the points with ids, by frame, in the latest sets. They cover all sets in which a
  /// track that ends now may have been measured last.
  std::deque<std::pair<uint64_t, std::vector<PointPlace>>> scenes_;
  uint64_t given_ = 0;
};

}  // namespace glint::motion
