// Makes frames of sets that no session has measured, for the sinks of a session.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>

#include "app/motion/frame/frame.h"
#include "app/motion/space/labelled_points.h"
#include "app/motion/space/point_tracker.h"

namespace glint::session {

/// Gives the tracker all sets, and `take` a frame of each as a session makes it, with the points
/// and poses alone; then one with what was still open. Says what the user should know. Ends early,
/// as if there were no more sets, once `*stop` is true. Returns the number of sets that were
/// tracked.
size_t trackSets(motion::PointTracker& tracker, std::span<const motion::SpaceSet> sets,
                 const std::function<void(const motion::FramePtr&)>& take,
                 const std::atomic<bool>* stop = nullptr);

/// Gives `points` all sets, and `take` a frame of each. See trackSets() for the rest.
size_t placeLabels(motion::LabelledPoints& points, std::span<const motion::SpaceSet> sets,
                   const std::function<void(const motion::FramePtr&)>& take,
                   const std::atomic<bool>* stop = nullptr);

}  // namespace glint::session
