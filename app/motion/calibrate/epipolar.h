// Estimates the epipolar geometry of two unknown cameras from one unlabelled target.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// The ends of the target at one moment in both cameras, in the same order.
struct PairSighting {
  size_t moment = 0;
  /// Ends in the first and in the second camera, px.
  std::vector<Eigen::Vector2d> first, second;
};

struct EpipolarFit {
  /// Fundamental matrix F for pixels: second^T F first = 0.
  Eigen::Matrix3d fundamental;
  std::vector<PairSighting> sightings;
  /// Number of moments in which both cameras saw the whole target.
  size_t tried = 0;
  /// Sum of epipolarCost() over these moments, px^2.
  double cost = 0;
  /// True if a homography explains the points as well. Then the points do not determine F.
  bool planar = false;
};

/// Estimates the fundamental matrix. Random samples choose moments, and which dot in one camera
/// matches which in the other, until eight points are there. The best result is refined on all
/// points that agree (Hartley, In defense of the eight-point algorithm, 1997; Chum's local
/// optimisation). It tolerates clutter, and lens distortion up to about a hundredth of the image.
/// The result is deterministic. `moments` are the indices of the moments to use. Returns no
/// sightings if fewer than 16 points agree.
/// `samples` is the number of random samples. Raising it finds F among more clutter but takes
/// longer.
EpipolarFit fitEpipolar(const LightRecording& recording, const Target& target,
                        const std::vector<size_t>& moments, size_t first, size_t second,
                        int samples = 2500);

/// Returns how much the dots of two cameras disagree at a moment: the sum over the target's ends of
/// their squared distance from F, px^2, each cut off at the tolerance. Of all dots that may be the
/// target, those that agree best count. Returns 0 if one of the cameras does not see the whole
/// target. `size` is that of the second camera's image.
double epipolarCost(const Moment& moment, const FrameExtent& size, const Target& target,
                    const Eigen::Matrix3d& fundamental, size_t first, size_t second);

}  // namespace glint::motion
