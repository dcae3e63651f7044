// Makes frames of sets that no session has measured, for the sinks of a session.
#pragma once

#include <functional>
#include <span>

#include "app/motion/frame/frame.h"
#include "app/motion/space/point_tracker.h"

namespace glint::session {

/// Tracks all sets. Calls `take` with a frame for each, which contains only points and poses, and
/// then with a frame that contains the rows that were not final before. Logs what the user should
/// know. There must be at least one set.
void trackSets(motion::PointTracker& tracker, std::span<const motion::SpaceSet> sets,
               const std::function<void(const motion::FramePtr&)>& take);

}  // namespace glint::session
