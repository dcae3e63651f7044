// Settings and state of the scene that are shared by all tracks in a frame.
#pragma once

#include "app/motion/track/frame_history.h"
#include "app/motion/track/tracker_options.h"
#include "config/settings.h"

namespace glint::motion {

/// The usual motion of the markers in a frame. A new marker may move in the same way.
struct UsualMotion {
  /// Share of the markers that are not at rest, 0 to 1.
  double movingShare = 1;
  /// Median velocity, px/s.
  double vx = 0, vy = 0;
};

/// Settings, options and the state of the scene in the present frame. It refers to members of the
/// Tracker, and lives as long as one call.
struct FrameContext {
  /// Lengths are in px, times in frames.
  const Settings::Track& settings;
  const TrackerOptions& options;
  /// The present frame.
  const Stamp& now;
  /// The present frame and those before it.
  const FrameHistory& frames;
  /// The usual time between two frames, s.
  double interval;
  /// The usual motion in the previous frame.
  UsualMotion usual;
};

}  // namespace glint::motion
