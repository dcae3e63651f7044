// Markers that moved farther than their motion predicted, where it is clear all the same which is
// which.
#pragma once

#include <span>
#include <vector>

#include "app/track/observation.h"

namespace glint {

/// A track that could be measured in a frame.
struct Anchor {
  double x = 0, y = 0;                  ///< px, where it was measured last
  double expectedX = 0, expectedY = 0;  ///< px, where it is expected
  bool recent = false;                  ///< it was measured in the frame before
  bool missed = false;                  ///< not there, but a few frames before
  bool confirmed = false;
  bool known = true;  ///< it was measured more than once
};

/// How far, and among what, a marker may have jumped.
struct JumpLimits {
  double farthest = 0;   ///< px
  double firstStep = 0;  ///< px, the same of a marker that was seen once, at rest or on its way
  double jumps = 0;      ///< lately, of so many `sightings`, strangers among them: at least a guess
  double sightings = 1;
  double strangers = 0;  ///< observations a frame that belong to no track
  double area = 1;       ///< px^2, of where they may be
};

/// Joins what `matches` (the observation of each track, or -1) leaves alone: a recent track (where
/// jumps are usual, one that was missed, too) and an
/// observation of which each is the nearest one to the other by far, whatever else there is,
/// matched or not; unless a stranger is as likely there. Returns the tracks that were joined.
std::vector<size_t> joinJumps(std::span<const Anchor> tracks, std::span<const Observation> seen,
                              const JumpLimits& limits, std::vector<int>& matches);

/// Where one common displacement explains most of the recent tracks better (a moved card, a shaken
/// camera): matches them again by it. Returns the tracks that it gave another observation; none if
/// there is no such displacement.
std::vector<size_t> joinCommonJump(std::span<const Anchor> tracks,
                                   std::span<const Observation> seen, const JumpLimits& limits,
                                   std::vector<int>& matches);

}  // namespace glint
