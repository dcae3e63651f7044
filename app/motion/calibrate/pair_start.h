// Initial guess of two cameras from the dots that both see.
#pragma once

#include <limits>
#include <vector>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Returns a bundle whose cameras have the given lenses or a guess, their priors, and the choice of
/// what is free. No camera has a pose yet.
Bundle unplaced(const LightRecording& recording, const CalibrationOptions& options);

/// Distance between the first two cameras if no length is known, mm. The choice only sets the
/// scale.
constexpr double kArbitrary = 1000;
/// Residual beyond which the weight of a dot falls while cameras are being placed, px. Raising it
/// gives wrong dots more weight.
constexpr double kStartLoss = 2;

/// A guess of two cameras. The first one is at the origin.
struct PairStart {
  Lens first, second;
  /// Pose of the second camera, which leads from the first camera's frame to its own.
  Pose relative;
  /// Quality: the lower, the better. After adjustment it is the cost for each sight.
  double cost = std::numeric_limits<double>::infinity();
};

/// Returns guesses for cameras i and j of a recording whose sigmas are 1 px, the best first. It
/// tries several focal lengths for each. If `known` is not null, it is the first camera's lens and
/// is kept. Returns none if the cameras do not agree. Sets `planar` to true if all lights lie in a
/// plane. In that case cameras can be placed only if their lenses are fixed, and the guesses are
/// all poses that see the plane alike. A single light gives too little information for two focal
/// lengths. Therefore, only cameras with equal focal lengths (in widths of their images) are tried,
/// or only those with different ones if `unlike`.
std::vector<PairStart> startPair(const LightRecording& recording, const CalibrationOptions& options,
                                 size_t i, size_t j, const Lens* known, bool& planar,
                                 bool unlike = false);

}  // namespace glint::motion
