// Images of markers whose exact place is known, and the precision with which it can be known from
// such an image.
#pragma once

#include <random>
#include <vector>

#include "tests/gpu/reference.h"

namespace glint::test {

struct Marker {
  double x = 0, y = 0;   // px
  double amplitude = 0;  // counts above the background
  double sigma = 0;      // px, sigma of a Gaussian spot, or of the blur of a disc's edge
  double radius = 0;     // px, radius of a disc; 0: a Gaussian spot
  // The shape of an elliptical Gaussian: minor / major axis, and the angle of the major axis, rad.
  double aspect = 1, angle = 0;
};

struct Sensor {
  double background = 10, readNoise = 2, shotGain = 0.02;
  uint32_t bits = 8;
  double slope = 0;  // slope of the background, counts a px
};

/// Returns an image that is integrated over pixels, without noise and without clipping.
std::vector<double> render(uint32_t width, uint32_t height, const std::vector<Marker>& markers,
                           double background);

/// Returns an image with read and shot noise, rounded and clipped.
reference::Image expose(const std::vector<double>& scene, uint32_t width, const Sensor& sensor,
                        std::mt19937_64& random);

/// Returns the Cramer-Rao bound of x, px. Amplitude, background and shape are known, and saturated
/// pixels carry no information. A slope, if there is one, is unknown.
double bound(const Marker& marker, const Sensor& sensor);

}  // namespace glint::test
