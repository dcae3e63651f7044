// Finds the marker or candidate under the cursor.
#pragma once

#include "ui/model/view_state.h"

namespace glint::ui {

/// Returns the tracked marker under the cursor; empty if there is none.
std::optional<TrackId> trackAt(const View& view, const CameraTracks& tracks, Point cursor);

/// Returns the rejected candidate under the cursor; null if there is none. Parts of markers do not
/// count.
const gpu::Rejected* rejectedAt(const View& view, const CameraTracks& tracks, Point cursor);

}  // namespace glint::ui
