// Makes detections for tests.
#pragma once

#include <cstdint>

#include "shared/results.h"

namespace glint {

/// Returns a detection at (x, y), px. Its brightest pixel is there, too.
inline shared::Detection detectionAt(float x, float y, float radius = 3, float eccentricity = 0.1F,
                                     float mass = 1000) {
  shared::Detection d{};
  d.x = x;
  d.y = y;
  d.peakX = static_cast<uint32_t>(x);
  d.peakY = static_cast<uint32_t>(y);
  d.radius = radius;
  d.eccentricity = eccentricity;
  d.mass = mass;
  return d;
}

}  // namespace glint
