// Integer weights of the Gaussians in the responses `blur` and `dog`.
#pragma once

#include <cstdint>
#include <vector>

namespace glint::gpu {

/// Weights of a Gaussian at 0, 1, ... ceil(3 sigma) pixels from its middle, on both sides of it:
/// round(65536 g(i) / sum of all g) beside the middle one, which is what makes all add up to 65536.
/// sigma > 0, px.
std::vector<uint32_t> gaussianTaps(double sigma);

/// The Gaussians for a marker of a given radius (px, of the uniform disc with its second moments).
/// narrow: of the marker's own second moments, the matched filter of a Gaussian spot. wide: twice
/// that, so that their difference changes its sign at 0.96 radius and answers most to discs and
/// spots of about that radius (Lindeberg 1998: scale of a blob; Lowe 2004, section 3: the
/// difference for the Laplacian; Crocker and Grier 1996 take a box for the wide one).
struct MarkerScale {
  explicit MarkerScale(double radius) : narrow(radius / 2), wide(radius) {}
  double narrow, wide;  ///< sigma, px
};

}  // namespace glint::gpu
