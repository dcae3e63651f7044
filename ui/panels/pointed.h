// Tells the place in the image under the cursor, and the pixel's value.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

/// Tells WindowModel::pointed what the cursor points at in a camera's image; asks the scene for
/// what only the device knows.
void tellPointed(Context& context, size_t camera, Point cursor);

/// Says how large the view under the cursor is drawn: "zoom 87 %"; empty where there is none.
std::string zoomWords(const ViewState& looks);

}  // namespace glint::ui
