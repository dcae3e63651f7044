// Options for finding the clocks of cameras.
#pragma once

#include <cstddef>

namespace glint::motion {

struct SyncOptions {
  /// Shortest time that two recordings must have in common, s. Raising it refuses more recordings,
  /// and lets fewer accidental resemblances mislead.
  double leastOverlap = 4;
  /// Number of offsets at which two cameras are compared by geometry after their speeds suggested
  /// them. Raising it finds offsets that speeds hardly show, and takes longer.
  size_t candidates = 40;
  /// Number of these that are refined and compared with each other. Raising it takes longer.
  size_t finalists = 8;
  /// Time around the middle of the overlap in which an offset is judged first, s. A difference of
  /// the clocks' rates blurs longer times: 1,000 millionths move the ends of 20 s by 10 ms.
  double window = 20;
  /// Number of frames that judge an offset. Raising it takes longer.
  size_t judged = 160;
  /// Number of random samples for the epipolar geometry of each offset. Raising it takes longer.
  int samples = 400;
  /// Largest distance of dots that belong together from each other's epipolar lines, as a share of
  /// the image's diagonal. Without a rig it must allow for lens distortion. Raising it accepts more
  /// wrong pairs.
  double tolerance = 0.006;
  /// The best offset must disagree less than this share of the second best one, and less than this
  /// share of the largest disagreement that is possible. Raising it accepts weaker evidence.
  double margin = 0.5;
  /// The largest standard deviation of an offset, frames. Raising it accepts weaker evidence.
  double worstSigma = 0.25;
  /// Standard deviation of the difference of two clocks' rates before anything is known. The
  /// crystals of cameras differ by up to 0.0001; a rate of 59.94 that is called 60, by 0.001.
  double driftPrior = 0.002;
};

}  // namespace glint::motion
