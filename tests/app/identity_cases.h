// Defines the cases of docs/measurements/identity.md, and judges how well identities are kept in
// one of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/track/observation.h"
#include "app/study/eval/score.h"
#include "config/settings.h"
#include "tests/app/simulated_motion.h"

namespace glint::test {

/// A scene and the figures that must be reached in it, on average over seeds. No scene may have a
/// false track of more than 5 rows.
struct IdentityCase {
  std::string name;
  Scene scene;
  double idf1 = 0.99;  ///< The smallest allowed IDF1.
  /// The largest allowed number of switches per 1000 marker-frames.
  double switchesPerThousand = 1;
};

/// Returns the cases of the goals, and also scenes with irregular frame times and with clutter.
std::vector<IdentityCase> identityCases();

/// Returns a scene whose markers are hidden for longer than track.max_gap, so that only stitching
/// can help.
Scene longOcclusions(int markers, double meanStep);

/// Records the markers of a turning, walking dancer as one camera sees them, with a noise of 0.05
/// px. They hide behind the body for up to some seconds.
Recording recordDancer(uint64_t seed, uint64_t frames);

/// The result of a tracker for a recording.
struct Followed {
  std::vector<motion::TrackRow> rows;
  std::vector<double> milliseconds;  ///< The time that the tracker alone took for each frame.
  uint64_t stitches = 0;
};

Followed follow(const Recording& recording, const Settings& settings = {});

/// How well a tracker followed a recording.
struct Outcome {
  study::Score score;
  double switchesPerThousand = 0;
  /// The rows of the longest track most of whose rows are on no marker.
  uint64_t longestFalse = 0;
};

Outcome judge(const Followed& followed, const Recording& recording);

}  // namespace glint::test
