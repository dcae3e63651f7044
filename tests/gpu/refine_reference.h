// The refined position of docs/architecture.md once more, in double precision and with no regard to speed.
#pragma once

#include "tests/gpu/reference.h"

namespace glint::reference {

struct Refined {
  double x = 0, y = 0, mass = 0, radius = 0, eccentricity = 0, sigmaX = 0, sigmaY = 0,
         background = 0;
  uint32_t flags = 0;
  // for the study only
  double tau = 0, flatness = 0, amplitude = 0, noise = 0, shot = 0, movedX = 0, movedY = 0, r50 = 0, r75 = 0, cx = 0, cy = 0;
  int reach = 0, iterations = 0;
};

/// `fixedRadius` > 0 forces the window's radius, px.
Refined refine(const Image& response, const Peak& peak, int fixedRadius);

}  // namespace glint::reference
