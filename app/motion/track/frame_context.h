// The settings and the state of the scene that all tracks of one frame are judged by.
#pragma once

#include "app/motion/track/frame_history.h"
#include "app/motion/track/tracker_options.h"
#include "config/settings.h"

namespace glint::motion {

/// The usual motion of the markers in one frame. A new marker may move in the same way.
struct UsualMotion {
  double movingShare = 1;  ///< share of the markers that does not rest, 0 to 1
  double vx = 0, vy = 0;   ///< px/s, medians
};

/// Settings, options and the state of the scene in the present frame. It refers to members of the
/// Tracker, and lives as long as one call.
struct FrameContext {
  const Settings::Track& settings;  ///< lengths in px, times in frames
  const TrackerOptions& options;
  const Stamp& now;            ///< the present frame
  const FrameHistory& frames;  ///< the frames before it, and itself
  double interval;             ///< s, the usual time between two frames
  UsualMotion usual;           ///< what most markers did in the frame before
};

}  // namespace glint::motion
