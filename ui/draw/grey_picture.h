// A small grey picture as triangles: ImGui 1.86 has no images of its own.
#pragma once

#include <imgui.h>

#include "app/desk/small_picture.h"

namespace glint::ui {

void drawGrey(const SmallPicture& picture, ImVec2 at, float width, float height);

}  // namespace glint::ui
