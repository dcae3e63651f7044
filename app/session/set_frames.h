// Frames of sets that no session measured, for its sinks.
#pragma once

#include <functional>
#include <span>

#include "app/frame/frame.h"
#include "app/space/point_tracker.h"

namespace glint {

/// Gives the tracker all sets, and `take` a frame of each as a session makes it, with the points
/// and poses alone; then one with what was still open. Says what the user should know.
void trackSets(PointTracker& tracker, std::span<const SpaceSet> sets,
               const std::function<void(const FramePtr&)>& take);

}  // namespace glint
