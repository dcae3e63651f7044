// Position errors of the `refine` kernel on markers whose place is known: what the tests assert and
// what refine_study prints.
#pragma once

#include <string>
#include <vector>

#include "shared/results.h"
#include "tests/gpu/spots.h"

namespace glint::test {

/// Markers of one kind, one sensor, and how near to the Cramer-Rao bound they must be measured.
struct Case {
  std::string name;
  Marker marker;  ///< its place is ignored
  Sensor sensor;
  double mostRatio;  ///< of the root mean square error to the bound
};

/// Gaussian spots of sigma 1, 1.5 and 2 px, amplitudes 180, 120 and 60, read noise 2, 3 and 4;
/// discs of radius 5 and 8 px; a saturated disc.
const std::vector<Case>& cases();

/// One marker, measured.
struct Sample {
  Marker truth;
  shared::Detection found;
  double errorX() const { return found.x - truth.x; }
  double errorY() const { return found.y - truth.y; }
};

/// An image of markers and where to start on each of them.
struct Field {
  reference::Image image;
  std::vector<Marker> truth;
  std::vector<reference::Peak> starts;
};

/// `count` markers of a kind, far from each other, at random fractions of a pixel. Always the same.
Field makeField(const Marker& marker, const Sensor& sensor, uint32_t count);

/// The same, measured.
std::vector<Sample> measure(const Marker& marker, const Sensor& sensor, uint32_t count);

/// What `refine` makes of markers whose accepted peaks are `starts`.
std::vector<shared::Detection> refineOnDevice(const reference::Image& image,
                                              const std::vector<reference::Peak>& starts,
                                              bool elongated = false);

/// The brightest pixel within `reach` px of a place; of equals the first in raster order.
reference::Peak brightest(const reference::Image& image, double x, double y, int reach);

struct Summary {
  double rmse = 0;      ///< px, an axis
  double relative = 0;  ///< root mean square of error / sigma
  double worst = 0;     ///< px
  double biasX = 0, biasY = 0;
};
Summary summarise(const std::vector<Sample>& samples);

}  // namespace glint::test
