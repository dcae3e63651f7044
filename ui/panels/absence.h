// The tile of a camera that has no frame in the set on the screen.
#pragma once

#include "ui/model/window_model.h"

struct ImDrawList;

namespace glint::ui {

/// Over what is drawn of it: darkens its last image where it is gone, or where the picture stands,
/// with the number of the frame that it is of; `hasImage`: else says that there is none. Nothing
/// where the camera has a frame.
void drawAbsence(const WindowModel& model, size_t camera, bool hasImage, const View& view,
                 const Rect& cell, ImDrawList& list);

}  // namespace glint::ui
