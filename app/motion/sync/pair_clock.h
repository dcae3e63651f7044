// The clocks of two cameras. Internal to sync/.
#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"
#include "app/motion/sync/dot_paths.h"
#include "app/motion/sync/sync_options.h"

namespace glint::motion {

/// How the time of a fast camera follows from that of a slow one, both on their own clocks, s:
/// fast = slow + offset + drift * (slow - middle).
struct PairClock {
  double offset = 0, drift = 0, middle = 0;
  double sigma = 0, driftSigma = 0;
  /// Mean squared distance of dots from their epipolar lines, each cut off at the tolerance, as a
  /// share of the squared tolerance.
  double cost = 1;

  double fastTime(double slow) const { return slow + offset + drift * (slow - middle); }
};

/// The dots and times of two cameras. Dots are relative to the centre of their image.
struct CameraPair {
  const DotPaths *slow, *fast;
  FrameExtent slowSize, fastSize;
  /// The geometry of undistorted dots, if it is known: fast^T F slow = 0.
  std::optional<Eigen::Matrix3d> fundamental;
  Target target;
};

/// The clock of a pair of cameras. If there is none, `reason` says why, as the end of a sentence.
struct PairResult {
  std::optional<PairClock> clock;
  std::string reason;
};
PairResult findPairClock(const CameraPair& pair, const SyncOptions& options);

/// Returns the clock near `start` under which the two cameras agree best, or nothing if they share
/// too little.
std::optional<PairClock> refinePairClock(const CameraPair& pair, const PairClock& start,
                                         const SyncOptions& options);

}  // namespace glint::motion
