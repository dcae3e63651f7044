// Measures, drawn over the image of one camera.
#pragma once

#include "ui/model/measuring.h"

struct ImDrawList;

namespace glint::ui {

/// Draws the camera's measures with their values, and the one that is being made. That one ends at
/// `cursor`, px of the window.
void drawMeasures(ImDrawList& list, const View& view, const Measuring& measuring, size_t camera,
                  Point cursor);

}  // namespace glint::ui
