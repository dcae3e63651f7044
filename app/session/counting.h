// Counts what frames hold.
#pragma once

#include "app/capture/sets/frame_set.h"
#include "app/session/options.h"

namespace glint::session {

/// Adds what was measured and tracked of one frame.
void countFrame(const motion::Frame& frame, SessionCounts& counts);

/// Glances at the first camera's frames 1, 4, 16 ... of a recording, and adds what is seen. `frame`
/// was counted last, and `set` is the one that it was measured in.
void countGlance(const motion::Frame& frame, const capture::FrameSet& set,
                 const capture::CameraGroups& groups, SessionCounts& counts);

}  // namespace glint::session
