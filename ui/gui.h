// The whole of the window's content: where its parts lie, and the keys.
#pragma once

#include <vector>

#include "ui/context.h"
#include "ui/input.h"

namespace glint::ui {

/// Performs what the keys ask for and draws every part; between ImGui::NewFrame() and Render().
void drawGui(Context& context, const std::vector<Chord>& chords, Scene& scene);

}  // namespace glint::ui
