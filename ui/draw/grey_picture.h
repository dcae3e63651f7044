// A small grey picture, drawn as triangles because ImGui 1.86 draws no images of its own.
#pragma once

#include <span>
#include <string>

#include <imgui.h>

#include "app/shell/desk/small_picture.h"
#include "shared/results.h"

namespace glint::ui {

void drawGrey(const shell::SmallPicture& picture, ImVec2 at, float width, float height);

/// Returns the largest size, px, at which the picture fits into `room`.
ImVec2 sizeWithin(const shell::SmallPicture& picture, ImVec2 room);

/// Draws the picture as ImGui's next item, as large as `room` allows, with a circle around each of
/// `found`. `name` names its place for tests.
void drawFound(const std::string& name, const shell::SmallPicture& picture,
               std::span<const shared::Detection> found, ImVec2 room);

}  // namespace glint::ui
