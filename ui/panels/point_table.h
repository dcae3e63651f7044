// The table of the points in space in the frame on the screen.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/context/context.h"

namespace glint::ui {

/// Draws the table. A click on a row selects its point, as in the 3D view. Returns the points in
/// the order of the table.
std::vector<uint64_t> drawFramePoints(Context& context);

}  // namespace glint::ui
