// The refined position of docs/detection.md once more, in double precision and with no regard to
// speed.
#pragma once

#include "tests/gpu/reference.h"

namespace glint::reference {

struct Refined {
  double x = 0, y = 0, mass = 0, radius = 0, eccentricity = 0, sigmaX = 0, sigmaY = 0,
         background = 0, extentX = 0, extentY = 0, extent = 0, elongation = 0;
  uint32_t flags = 0;
  bool rested = true;  ///< the fit ended because its steps had become small
};

/// What is fitted: elongations up to `longest` (but beside others longer ones), and extents up to
/// so many px. `crowd`: all peaks of a layer that has more candidates than can be listed; otherwise
/// null. `peaks`: the same of any layer, if large objects are to be fitted from the middle only.
struct Fitted {
  double longest = 1e9;
  double largest = 1e9;
  bool elongated = false;  ///< with bounds and a model for what is much longer than wide
  const std::vector<Peak>* crowd = nullptr;
  const std::vector<Peak>* peaks = nullptr;
};

/// `fixedRadius` > 0 forces the window's radius, px. What is not fitted stays at its peak, with
/// radius 0 and the window as its sigmas.
Refined refine(const Image& response, const Peak& peak, int fixedRadius, const Fitted& fitted = {});

}  // namespace glint::reference
