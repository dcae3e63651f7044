// Predicts where a marker that was hidden for a while is now, from the markers around it.
#pragma once

#include <span>
#include <vector>

#include "app/motion/track/guess.h"
#include "app/motion/track/tracker_options.h"
#include "config/numbers.h"

namespace glint::motion {

/// The place of a track in one frame.
struct TrackPlace {
  TrackId id;
  double x = 0, y = 0;    ///< px
  double vx = 0, vy = 0;  ///< px/s
};

/// A track and those around it in one frame.
struct Constellation {
  TrackPlace own;
  std::vector<TrackPlace> companions;  ///< by id
};

/// The companions of a constellation that are visible now as well.
struct Common {
  TrackPlace own;                     ///< the hidden track, at the time of the constellation
  std::vector<TrackPlace> then, now;  ///< the companions at both times, in the same order
};

/// Returns the companions that are also among `now`, which is sorted by id.
Common common(const Constellation& seen, std::span<const TrackPlace> now);

// The following functions predict where `own` is now in three ways. Near companions count most. The
// place of each companion is predicted without it, too, and the errors give the covariance of the
// result. Each function needs at least three companions.

/// Assumes that the marker kept its velocity for `span` (s). `minSigma` (px): the result is no more
/// precise.
Guess straightOn(const Common& seen, double span, double minSigma, const CompanionOptions& options);

/// Assumes that the marker was displaced as its companions were, without a rotation.
Guess displaced(const Common& seen, double minSigma, const CompanionOptions& options);

/// Assumes that the marker followed the affine map from its companions' old places to their places
/// now. The covariance has a direction: on a body that turns, the coordinate along its axis is
/// predicted better.
Guess mapped(const Common& seen, const CompanionOptions& options = {});

}  // namespace glint::motion
