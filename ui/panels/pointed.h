// What the cursor points at: the place in the image, and the pixel's value.
#pragma once

#include "ui/draw/renderer.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// Into `looks.displayed.pointed`; asks `scene` for what only the device knows.
void tellPointed(const WindowModel& model, ViewState& looks, size_t camera, Point cursor,
                 Scene& scene);

/// How large the view is drawn that is looked at: "zoom 87 %"; empty where there is none.
std::string zoomWords(const ViewState& looks);

}  // namespace glint::ui
