// Finds the marker or candidate under the cursor.
#pragma once

#include "ui/model/view_state.h"

namespace glint::ui {

/// The tracked marker under the cursor, if there is one.
std::optional<TrackId> trackAt(const View& view, const CameraTracks& tracks, Point cursor);

/// The rejected candidate under the cursor, parts of markers apart, or null.
const gpu::Rejected* rejectedAt(const View& view, const CameraTracks& tracks, Point cursor);

}  // namespace glint::ui
