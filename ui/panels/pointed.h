// The place in the image under the cursor, and the value of that pixel.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

/// Sets WindowModel::pointed to the pixel of a camera's image under the cursor. Asks the scene for
/// the values that only the device has.
void describePointed(Context& context, size_t camera, Point cursor);

/// Returns the scale of the view under the cursor: "zoom 87 %"; empty if there is none.
std::string zoomWords(const ViewState& viewState);

}  // namespace glint::ui
