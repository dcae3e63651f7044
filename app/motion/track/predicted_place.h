// The expected place of a marker that its own camera has lost.
#pragma once

#include "config/numbers.h"

namespace glint::motion {

/// The expected place of a track in the next frame of its camera. It is calculated from other
/// cameras that see the marker.
struct PredictedPlace {
  TrackId track;
  double x = 0, y = 0;                    ///< px
  double varianceX = 0, varianceY = 0;    ///< px^2
  double vx = 0, vy = 0;                  ///< px/s
  double varianceVx = 0, varianceVy = 0;  ///< (px/s)^2
};

}  // namespace glint::motion
