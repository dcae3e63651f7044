// A small grey picture as triangles: ImGui 1.86 has no images of its own.
#pragma once

#include <span>
#include <string>

#include <imgui.h>

#include "app/shell/desk/small_picture.h"
#include "shared/results.h"

namespace glint::ui {

void drawGrey(const shell::SmallPicture& picture, ImVec2 at, float width, float height);

/// Returns the largest size of the picture within `room`, px.
ImVec2 sizeWithin(const shell::SmallPicture& picture, ImVec2 room);

/// Draws the picture as large as there is room, as ImGui's next item and with a circle about each
/// of `found`. `name`: of its place.
void drawFound(const std::string& name, const shell::SmallPicture& picture,
               std::span<const shared::Detection> found, ImVec2 room);

}  // namespace glint::ui
