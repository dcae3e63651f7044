#pragma once

namespace glint::motion {

/// px, beside a dot's own noise: what stands behind a marker, and how it is lit, pull its dots
/// aside, in all cameras towards the same place in space, so that residuals do not tell.
inline constexpr double kSharedNoise = 0.03;

}  // namespace glint::motion
