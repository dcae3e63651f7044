// What of the things that were found is under the cursor.
#pragma once

#include "ui/model/window_model.h"

namespace glint::ui {

/// The tracked marker under the cursor, if there is one.
std::optional<TrackId> trackAt(const View& view, const CameraTracks& tracks, Point cursor);

/// The rejected candidate under the cursor, parts of markers apart, or null.
const Rejected* rejectedAt(const View& view, const CameraTracks& tracks, Point cursor);

}  // namespace glint::ui
