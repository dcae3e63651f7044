// Two cameras from nothing but what both saw.
#pragma once

#include <limits>
#include <vector>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Cameras with the lenses that are known or a guess, priors, and what is free; none is placed.
Bundle unplaced(const LightRecording& recording, const CalibrationOptions& options);

/// Between the first two cameras, where no length is known.
constexpr double kArbitrary = 1000;
/// px: where a dot's weight begins to fall while cameras are being placed.
constexpr double kStartLoss = 2;

/// Two cameras, the first at the origin.
struct PairStart {
  Lens first, second;
  Pose relative;
  double cost = std::numeric_limits<double>::infinity();  ///< a sight
};

/// What cameras i and j of the recording, whose sigmas are 1 px, may be, the best first: over pairs
/// of focal lengths, with the first camera's lens where it is `known`. Empty where they do not
/// agree; `planar` says whether all lies in a plane, in which only cameras whose lenses are held
/// can be placed: all that see it as it looks. A single light says too little for two focal
/// lengths: cameras are first taken for alike, in widths of their images; else for `unlike`.
std::vector<PairStart> startPair(const LightRecording& recording, const CalibrationOptions& options,
                                 size_t i, size_t j, const Lens* known, bool& planar,
                                 bool unlike = false);

}  // namespace glint::motion
