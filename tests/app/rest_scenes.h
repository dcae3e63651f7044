// Markers at rest that come and go, as the stars of a night sky: what each track may be is known,
// since nothing moves. And what a linker of nearest neighbours makes of the same detections.
#pragma once

#include <cstdint>

#include "tests/app/identity_cases.h"

namespace glint::test {

/// Spots of amplitudes of 32 to 200 counts, evenly in their logarithm. Those below 70 go on and off
/// with 4 % a frame. Of two that are nearer than detect.separation the brighter one is seen.
struct StarField {
  int stars = 330;
  int frames = 300;
  double width = 854, height = 480;
  double drift = 0;       ///< px a frame, of all: the sky turns
  int starts = 0;         ///< that begin to move in the middle of the recording, and stop again
  double startsStep = 2;  ///< px a frame, of those
  uint64_t seed = 1;
};

Recording starField(const StarField& field);

/// How many tracks leave the star that they began on by more than `radius` px.
struct Wander {
  size_t tracks = 0, left = 0, rows = 0;
  double farthest = 0;  ///< px
};

Wander wanderOf(const Followed& followed, const Recording& recording, double radius = 6);

/// Tracks of the assignment with the shortest steps in sum, of up to `gate` px, over at most
/// `memory` frames without one; those of fewer than three rows are left out.
Followed followHungarian(const Recording& recording, double gate, size_t memory);

}  // namespace glint::test
