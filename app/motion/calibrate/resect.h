// Where a camera stands that sees a target whose places are known.
#pragma once

#include <array>
#include <vector>

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Places camera `index` of the bundle by the items that it sees whole. Its lens is the start, with
/// free[focal] its focal length is sought, too, near those of `likely` and over the whole range.
/// P3P in random samples over moments and over who is who (Ke and Roumeliotis, An efficient
/// algebraic solution to the perspective-three-point problem, 2017, as in OpenCV), then an
/// adjustment of this camera alone. Deterministic. Of items in a plane the mirrored pose is tried,
/// too. `none` where fewer than a third of these moments agree, or than 8; `alike` where the plane
/// looks the same from two poses.
enum class Resected { none, alike, placed };
Resected resect(Bundle& bundle, const LightRecording& recording, const Target& target, size_t index,
                const std::vector<double>& likely);

/// Focal lengths to begin with, in widths of the image.
constexpr std::array<double, 5> kFocalPerWidth{0.5, 0.7, 1, 1.5, 2.5};

}  // namespace glint::motion
