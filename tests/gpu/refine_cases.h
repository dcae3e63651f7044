// Position errors of the `refine` kernel on markers whose place is known. Tests assert limits on
// them, and refine_study prints them.
#pragma once

#include <string>
#include <vector>

#include "shared/results.h"
#include "tests/gpu/spots.h"

namespace glint::test {

/// Markers of one kind, the sensor, and the allowed ratio of their errors to the Cramer-Rao bound.
struct Case {
  std::string name;
  Marker marker;  ///< the marker to draw; its place is ignored
  Sensor sensor;
  double mostRatio;  ///< largest ratio of the root mean square error to the bound
};

/// Gaussian spots of sigma 1, 1.5 and 2 px, amplitudes 180, 120 and 60, read noise 2, 3 and 4;
/// discs of radius 5 and 8 px; a saturated disc.
const std::vector<Case>& cases();

/// One marker and its measurement.
struct Sample {
  Marker truth;
  shared::Detection found;
  double errorX() const { return found.x - truth.x; }
  double errorY() const { return found.y - truth.y; }
};

/// An image of markers, and the peaks at which the fits start.
struct Field {
  reference::Image image;
  std::vector<Marker> truth;
  std::vector<reference::Peak> starts;
};

/// Makes an image with `count` markers of a kind, far from each other, at random fractions of a
/// pixel. It is always the same.
Field makeField(const Marker& marker, const Sensor& sensor, uint32_t count);

/// Makes the same image, and measures its markers.
std::vector<Sample> measure(const Marker& marker, const Sensor& sensor, uint32_t count);

/// Returns the markers that `refine` makes of the accepted peaks `starts`.
std::vector<shared::Detection> refineOnDevice(const reference::Image& image,
                                              const std::vector<reference::Peak>& starts,
                                              bool elongated = false);

/// Returns the brightest pixel within `reach` px of a place. Among equal ones, returns the first in
/// raster order.
reference::Peak brightest(const reference::Image& image, double x, double y, int reach);

struct Summary {
  double rmse = 0;      ///< px, the root mean square error along an axis
  double relative = 0;  ///< root mean square of error / sigma
  double worst = 0;     ///< px
  double biasX = 0, biasY = 0;
};
Summary summarise(const std::vector<Sample>& samples);

}  // namespace glint::test
