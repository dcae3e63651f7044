// Images of markers whose exact place is known, and how exactly it can be known from such an image.
#pragma once

#include <random>
#include <vector>

#include "tests/gpu/reference.h"

namespace glint::test {

struct Marker {
  double x = 0, y = 0;           // px
  double amplitude = 0;          // above the background
  double sigma = 0;              // px, of a Gaussian spot, or of the blur of a disc's edge
  double radius = 0;             // px, of a disc; 0: a Gaussian spot
  double aspect = 1, angle = 0;  // of an elliptical Gaussian: minor / major axis; radians
};

struct Sensor {
  double background = 10, readNoise = 2, shotGain = 0.02;
  uint32_t bits = 8;
  double slope = 0;  // of the background, counts a px
};

/// Integrated over pixels, without noise, unclipped.
std::vector<double> render(uint32_t width, uint32_t height, const std::vector<Marker>& markers,
                           double background);

/// With read and shot noise, rounded and clipped.
reference::Image expose(const std::vector<double>& scene, uint32_t width, const Sensor& sensor,
                        std::mt19937_64& random);

/// Cramer-Rao bound of x, px (amplitude, background and shape known; pixels that saturate carry
/// nothing; a slope, if there is one, is unknown).
double bound(const Marker& marker, const Sensor& sensor);

}  // namespace glint::test
