// How the window looks.
#pragma once

namespace glint::ui {

/// Colours, sizes and the font, for a screen of so many px a point; before the renderer is made.
void applyStyle(float scale);

}  // namespace glint::ui
