// The tile of a camera that has no frame in the set on the screen.
#pragma once

#include "ui/model/window_model.h"

struct ImDrawList;

namespace glint::ui {

/// Draws over a camera's tile if the camera has no frame in the set on the screen; otherwise does
/// nothing. If the camera is lost, or playback is paused, darkens its last image and shows the
/// number of the image's frame. Without an image (`hasImage` is false), says that there is none.
void drawAbsence(const WindowModel& model, size_t camera, bool hasImage, const View& view,
                 const Rect& cell, ImDrawList& list);

}  // namespace glint::ui
