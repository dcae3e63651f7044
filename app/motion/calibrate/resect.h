// Finds the pose of a camera that sees a target whose positions are known.
#pragma once

#include <array>
#include <vector>

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Result of resect(). `none`: too few moments agree. `alike`: the target moved in a plane, which
/// looks the same from two poses. `placed`: the camera was placed.
enum class Resected { none, alike, placed };
/// Places camera `index` of the bundle by the items that it sees completely. The search starts with
/// the camera's lens; if free[focal] is set, the focal length is searched as well, near those of
/// `likely` (px) and over the whole range. P3P is applied to random samples of moments and of
/// assignments of dots to ends (Ke and Roumeliotis, An efficient algebraic solution to the
/// perspective-three-point problem, 2017, as in OpenCV). Then this camera alone is adjusted. If the
/// items lie in a plane, the mirrored pose is tried as well. At least eight moments, and a third of
/// those in which the camera sees the target, must agree. The result is deterministic.
Resected resect(Bundle& bundle, const LightRecording& recording, const Target& target, size_t index,
                const std::vector<double>& likely);

/// Focal lengths to start with, as multiples of the image's width.
constexpr std::array<double, 5> kFocalPerWidth{0.5, 0.7, 1, 1.5, 2.5};

}  // namespace glint::motion
