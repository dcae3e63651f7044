// Where a marker that was hidden for a while is now, judging by the markers around it.
#pragma once

#include <span>
#include <vector>

#include "app/track/guess.h"
#include "config/numbers.h"

namespace glint {

/// Where a track is in one frame.
struct TrackPlace {
  TrackId id;
  double x = 0, y = 0;    ///< px
  double vx = 0, vy = 0;  ///< px/s
};

/// A track and those around it in one frame.
struct Constellation {
  TrackPlace own;
  std::vector<TrackPlace> companions;
};

/// The companions of a constellation that are seen now, then and now.
struct Common {
  TrackPlace own;
  std::vector<TrackPlace> then, now;  ///< in the same order
};

/// `now` by id.
Common common(const Constellation& seen, std::span<const TrackPlace> now);

// Three guesses where `own` is now. Near companions count most. Each companion's place is guessed
// without it, too; those errors give the guess's covariance. Each needs three of them.
// `leastSigma`, px: no guess is better.

/// It kept its velocity for `span` s.
Guess straightOn(const Common& seen, double span, double leastSigma);

/// It was displaced as they were.
Guess displaced(const Common& seen, double leastSigma);

/// It went where the affine map goes that takes their places then to those now: a body that turns
/// keeps the coordinate along its axis better, so the errors have directions.
Guess mapped(const Common& seen);

}  // namespace glint
