// What two cameras see of one unlabelled target, without knowing either camera.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// The ends of the target at one moment in both cameras, in the same order.
struct PairSighting {
  size_t moment = 0;
  std::vector<Eigen::Vector2d> first, second;  ///< px
};

struct EpipolarFit {
  Eigen::Matrix3d fundamental;  ///< second^T F first = 0, px
  std::vector<PairSighting> sightings;
  size_t tried = 0;     ///< moments in which both saw the whole target
  bool planar = false;  ///< a homography does as well, so that F is not determined
};

/// Eight points by random sampling over moments and over who is who, refined on all that agree
/// (Hartley, In defense of the eight-point algorithm, 1997; Chum's local optimisation). Tolerant of
/// clutter and of lens distortion up to about a hundredth of the image. Deterministic. Empty
/// sightings where fewer than 8 points agree. `moments` are those to look at.
EpipolarFit fitEpipolar(const LightRecording& recording, const Target& target,
                        const std::vector<size_t>& moments, size_t first, size_t second);

}  // namespace glint::motion
