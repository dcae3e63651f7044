// Measures, drawn over the image of one camera.
#pragma once

#include "ui/model/measuring.h"

struct ImDrawList;

namespace glint::ui {

/// Those of the camera, with what they read, and the one that is being made: up to `cursor`, px of
/// the window.
void drawMeasures(ImDrawList& list, const View& view, const Measuring& measuring, size_t camera,
                  Point cursor);

}  // namespace glint::ui
