// The refined position of docs/detection.md, implemented a second time in double precision and
// without regard to speed.
#pragma once

#include "tests/gpu/reference.h"

namespace glint::reference {

struct Refined {
  double x = 0, y = 0, mass = 0, radius = 0, eccentricity = 0, sigmaX = 0, sigmaY = 0,
         background = 0, extentX = 0, extentY = 0, extent = 0, elongation = 0;
  uint32_t flags = 0;
  bool rested = true;  ///< true if the fit ended because its steps had become small
};

/// Limits on the fits. Only peaks with elongations up to `longest`, and extents up to `largest` px,
/// are fitted; peaks beside other markers may be longer. `crowd` holds all peaks of a layer that
/// has more candidates than can be listed; otherwise it is null. `peaks` holds all peaks of any
/// layer if large objects are to be fitted only from their middle; otherwise it is null.
struct Fitted {
  double longest = 1e9;
  double largest = 1e9;
  /// True for a model with bounds for objects that are much longer than wide.
  bool elongated = false;
  const std::vector<Peak>* crowd = nullptr;
  const std::vector<Peak>* peaks = nullptr;
};

/// Fits a marker at a peak. `fixedRadius` > 0 forces the window's radius, px. A marker that is not
/// fitted stays at its peak, with radius 0 and the window's size as its sigmas.
Refined refine(const Image& response, const Peak& peak, int fixedRadius, const Fitted& fitted = {});

}  // namespace glint::reference
