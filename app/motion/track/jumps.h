// Joins markers that moved farther than their motion predicted, if it is clear nevertheless which
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
  /// The last measurement of the track, px.
  double x = 0, y = 0;
  /// The predicted place of the track, px.
  double expectedX = 0, expectedY = 0;
  /// True if it was measured in the last frame.
  bool recent = false;
  /// True if it was last measured a few frames before that.
  bool missed = false;
  bool confirmed = false;
  /// True if it was measured more than once.
  bool known = true;
};

/// Options and limits of a search for jumps.
struct JumpSearch {
  const JumpOptions& options;
  /// How frequent jumps and lights without a track are.
  const SceneStatistics& scene;
  /// Maximum length of a jump, px.
  double farthest = 0;
  /// Maximum length for a marker that was measured once, px.
  double firstStep = 0;
};

/// Joins tracks and observations that are not matched yet. `matches` has the observation of each
/// track, or -1, and is updated. Each must be by far the nearest one to the other among all tracks
/// and observations, matched or not, and it must be unlikely that the observation is other light.
/// Only recent tracks are joined, or also missed ones if jumps are frequent. Returns the tracks
/// that were joined.
std::vector<size_t> joinJumps(std::span<const Anchor> tracks, std::span<const Observation> seen,
                              const JumpSearch& search, std::vector<int>& matches);

/// Searches for one displacement that most of the recent tracks share, such as that of a moved card
/// or a shaken camera. If it explains the frame better than the motion of the tracks, matches them
/// again by it. Returns the tracks whose observation has changed, or none if there is no such
/// displacement.
std::vector<size_t> joinCommonJump(std::span<const Anchor> tracks,
                                   std::span<const Observation> seen, const JumpSearch& search,
                                   std::vector<int>& matches);

}  // namespace glint::motion
