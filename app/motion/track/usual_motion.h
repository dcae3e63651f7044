// The motion that most markers of a scene share.
#pragma once

#include <span>

#include "app/motion/track/frame_context.h"
#include "app/motion/track/tracker_options.h"

namespace glint::motion {

struct Track;

/// Returns the usual motion of the confirmed tracks that were measured in the last frame, as far as
/// it is known if they rest.
UsualMotion usualMotionOf(std::span<const Track> tracks, const MotionOptions& options);

}  // namespace glint::motion
