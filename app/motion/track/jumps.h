// Joins markers that moved farther than their motion predicted, if it is clear all the same which
// is which.
#pragma once

#include <span>
#include <vector>

#include "app/motion/track/observation.h"
#include "app/motion/track/scene_statistics.h"
#include "app/motion/track/tracker_options.h"

namespace glint::motion {

/// A track that may jump in the present frame.
struct Anchor {
  double x = 0, y = 0;                  ///< px, its last measurement
  double expectedX = 0, expectedY = 0;  ///< px, its prediction
  bool recent = false;                  ///< it was measured in the last frame
  bool missed = false;                  ///< it was not, but a few frames before
  bool confirmed = false;
  bool known = true;  ///< it was measured more than once
};

/// The limits of a search for jumps.
struct JumpSearch {
  const JumpOptions& options;
  const SceneStatistics& scene;  ///< how usual jumps and light without a track are
  double farthest = 0;           ///< px, the longest jump
  double firstStep = 0;          ///< px, the same for a marker that was measured once
};

/// Joins tracks and observations that `matches` (the observation of each track, or -1) leaves
/// alone. Each must be by far the nearest one to the other among all tracks and observations,
/// matched or not, and other light must be less likely there. Only recent tracks are joined; where
/// jumps are frequent, also those that were missed. Returns the tracks that were joined.
std::vector<size_t> joinJumps(std::span<const Anchor> tracks, std::span<const Observation> seen,
                              const JumpSearch& search, std::vector<int>& matches);

/// Looks for one displacement that most of the recent tracks share, such as that of a moved card or
/// a shaken camera. If it explains the frame better than their motion, matches them again by it.
/// Returns the tracks whose observation it changed, or none if there is no such displacement.
std::vector<size_t> joinCommonJump(std::span<const Anchor> tracks,
                                   std::span<const Observation> seen, const JumpSearch& search,
                                   std::vector<int>& matches);

}  // namespace glint::motion
