// The motion that most markers of a scene share.
#pragma once

#include <span>

#include "app/track/tracker_options.h"

namespace glint {

struct Track;

/// The usual motion of the markers in one frame. A new marker may move in the same way.
struct UsualMotion {
  double movingShare = 1;  ///< share of the markers that does not rest, 0 to 1
  double vx = 0, vy = 0;   ///< px/s, medians
};

/// Returns the usual motion of the confirmed tracks that were measured in the last frame, as far as
/// it is known if they rest.
UsualMotion usualMotionOf(std::span<const Track> tracks, const MotionOptions& options);

}  // namespace glint
