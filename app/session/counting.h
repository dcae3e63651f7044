// Counts the contents of frames.
#pragma once

#include "app/capture/sets/frame_set.h"
#include "app/session/options.h"

namespace glint::session {

/// Adds everything that was measured and tracked in one frame.
void countFrame(const motion::Frame& frame, SessionCounts& counts);

/// Glances at frames 1, 4, 16 and so on of the first camera of a recording, and counts the signs.
/// `frame` must be the frame that was counted last, and `set` the one in which it was measured.
void countGlance(const motion::Frame& frame, const capture::FrameSet& set,
                 const capture::CameraGroups& groups, SessionCounts& counts);

}  // namespace glint::session
