// Frames of sets that no session measured, for its sinks.
#pragma once

#include <functional>
#include <span>

#include "app/motion/frame/frame.h"
#include "app/motion/space/point_tracker.h"

namespace glint::session {

/// Gives the tracker all sets, and `take` a frame of each as a session makes it, with the points
/// and poses alone; then one with what was still open. Says what the user should know.
void trackSets(motion::PointTracker& tracker, std::span<const motion::SpaceSet> sets,
               const std::function<void(const motion::FramePtr&)>& take);

}  // namespace glint::session
