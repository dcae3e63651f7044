// The settings and the state of the scene that all tracks of one frame are judged by.
#pragma once

#include "app/track/frame_history.h"
#include "app/track/tracker_options.h"
#include "app/track/usual_motion.h"
#include "config/settings.h"

namespace glint {

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

}  // namespace glint
