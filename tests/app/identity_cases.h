// How well identities are kept: the cases of docs/measurements/identity.md, and how one is judged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/track/observation.h"
#include "app/study/eval/score.h"
#include "config/settings.h"
#include "tests/app/simulated_motion.h"

namespace glint::test {

/// A scene and what must be reached in it, in the mean over seeds. No scene may have a false track
/// of more than 5 rows.
struct IdentityCase {
  std::string name;
  Scene scene;
  double idf1 = 0.99;              ///< at least
  double switchesPerThousand = 1;  ///< marker-frames, at most
};

/// The goals, and beyond them scenes with irregular frame times and with clutter.
std::vector<IdentityCase> identityCases();

/// Markers that are hidden for longer than track.max_gap, which is what stitching is for.
Scene longOcclusions(int markers, double meanStep);

/// The markers of a turning, walking dancer seen by one camera, measured with 0.05 px noise: they
/// hide behind the body for up to some seconds.
Recording recordDancer(uint64_t seed, uint64_t frames);

/// What a tracker made of a recording.
struct Followed {
  std::vector<motion::TrackRow> rows;
  std::vector<double> milliseconds;  ///< of each frame, the tracker alone
  uint64_t stitches = 0;
};

Followed follow(const Recording& recording, const Settings& settings = {});

struct Outcome {
  study::Score score;
  double switchesPerThousand = 0;
  uint64_t longestFalse = 0;  ///< rows of the longest track of which most are on no marker
};

Outcome judge(const Followed& followed, const Recording& recording);

}  // namespace glint::test
