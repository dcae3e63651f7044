// A small grey picture as triangles: ImGui 1.86 has no images of its own.
#pragma once

#include <span>

#include <imgui.h>

#include "app/shell/desk/small_picture.h"
#include "shared/results.h"

namespace glint::ui {

void drawGrey(const shell::SmallPicture& picture, ImVec2 at, float width, float height);

/// The same, with a circle about each of `found`.
void drawFound(const shell::SmallPicture& picture, std::span<const shared::Detection> found,
               ImVec2 at, float width, float height);

}  // namespace glint::ui
