// Where a marker is that was not seen for a while, as those tell that were seen with it.
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

/// A constellation less those that are not seen now, and where they are.
struct Common {
  TrackPlace own;
  std::vector<TrackPlace> then, now;  ///< in the same order
};

/// `now` by id.
Common common(const Constellation& seen, std::span<const TrackPlace> now);

// Three guesses where `own` is now. Near companions count above all, and their errors, had their
// own places been guessed so without them, tell how sharp the guess is. Each needs three of them.
// `leastSigma`, px: no guess is better.

/// It kept its velocity for `span` s.
Guess straightOn(const Common& seen, double span, double leastSigma);

/// It was displaced as they were.
Guess displaced(const Common& seen, double leastSigma);

/// It went where the affine map goes that takes their places then to those now: a body that turns
/// keeps the coordinate along its axis better, so the errors have directions.
Guess mapped(const Common& seen);

}  // namespace glint
