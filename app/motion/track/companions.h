// Predicts where a marker that was hidden for a while is now, from the markers around it.
#pragma once

#include <span>
#include <vector>

#include "app/motion/track/guess.h"
#include "app/motion/track/tracker_options.h"
#include "config/numbers.h"

namespace glint::motion {

/// The place and velocity of a track in one frame.
struct TrackPlace {
  TrackId id;
  double x = 0, y = 0;    ///< px
  double vx = 0, vy = 0;  ///< px/s
};

/// A track and the tracks around it in one frame.
struct Constellation {
  TrackPlace own;
  /// The tracks around it, sorted by id.
  std::vector<TrackPlace> companions;
};

/// The companions of a constellation that are also visible in the present frame.
struct Common {
  /// The hidden track, in the frame of the constellation.
  TrackPlace own;
  /// The companions in both frames, in the same order.
  std::vector<TrackPlace> then, now;
};

/// Returns the companions that also appear in `now`, which must be sorted by id.
Common common(const Constellation& seen, std::span<const TrackPlace> now);

// The following functions predict where `own` is now under three assumptions. Companions that are
// nearer have more weight. The place of each companion is predicted without it, too, and the errors
// of these predictions give the covariance of the result. Each function needs at least three
// companions.

/// Assumes that the marker kept its velocity for `span` (s). The standard deviation of the result
/// is at least `minSigma` (px).
Guess straightOn(const Common& seen, double span, double minSigma, const CompanionOptions& options);

/// Assumes that the marker was displaced like its companions, without a rotation. The standard
/// deviation of the result is at least `minSigma` (px).
Guess displaced(const Common& seen, double minSigma, const CompanionOptions& options);

/// Assumes that the marker followed the affine map that takes its companions' old places to their
/// present ones. The covariance can differ with direction: on a body that turns, the coordinate
/// along its axis is predicted better.
Guess mapped(const Common& seen, const CompanionOptions& options = {});

}  // namespace glint::motion
