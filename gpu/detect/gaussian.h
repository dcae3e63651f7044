// Computes integer weights of the Gaussians in the responses `blur` and `dog`.
#pragma once

#include <cstdint>
#include <vector>

namespace glint::gpu {

/// Returns the weights of a Gaussian at 0, 1, ... ceil(3 sigma) pixels from its middle, the same on
/// both sides. The weights beside the middle are round(65536 g(i) / sum of all g). The middle
/// weight is chosen so that all add up to 65536. `sigma` is in px, above 0.
std::vector<uint32_t> gaussianTaps(double sigma);

/// The Gaussians for a marker of a given radius (px, radius of the uniform disc with the same
/// second moments). The narrow one has the marker's own second moments, so it is the matched filter
/// of a Gaussian spot. The wide one has twice that sigma. Their difference changes its sign at 0.96
/// radius, and responds most to discs and spots of about that radius (Lindeberg 1998: scale of a
/// blob; Lowe 2004, section 3: the difference instead of the Laplacian; Crocker and Grier 1996 use
/// a box instead of the wide one).
struct MarkerScale {
  explicit MarkerScale(double radius) : narrow(radius / 2), wide(radius) {}
  double narrow, wide;  ///< sigma, px
};

}  // namespace glint::gpu
