// Simulates markers at rest that come and go, like the stars of a night sky. Since nothing moves,
// it is known which star each track may follow. A linker of nearest neighbours serves for
// comparison.
#pragma once

#include <cstdint>

#include "tests/app/identity_cases.h"

namespace glint::test {

/// Spots with amplitudes of 32 to 200 counts, evenly distributed in their logarithm. Those below 70
/// counts switch on or off with a probability of 4 % per frame. If two spots are nearer to each
/// other than detect.separation, only the brighter one is seen.
struct StarField {
  int stars = 330;
  int frames = 300;
  double width = 854, height = 480;
  double drift = 0;  ///< The movement of the whole sky, px per frame.
  /// The number of stars that begin to move in the middle of the recording and stop again.
  int starts = 0;
  double startsStep = 2;  ///< The speed of these stars, px per frame.
  uint64_t seed = 1;
};

Recording starField(const StarField& field);

/// The number of tracks that move more than `radius` px away from the star on which they began
/// (`left`).
struct Wander {
  size_t tracks = 0, left = 0, rows = 0;
  double farthest = 0;  ///< The largest distance of a track from its star, px.
};

Wander wanderOf(const Followed& followed, const Recording& recording, double radius = 6);

/// Returns tracks from assignments that minimise the squared steps. A step is shorter than `gate`
/// px and bridges at most `memory` frames without an observation. Tracks of fewer than three rows
/// are left out.
Followed followHungarian(const Recording& recording, double gate, size_t memory);

}  // namespace glint::test
