// The key to the false colours of the plane "intensity".
#pragma once

#include <imgui.h>

#include "ui/model/view.h"

namespace glint::ui {

/// Draws the colours of shaders/image.frag from 0 to full scale into the lower right corner of
/// `area`. `threshold` is a share of full scale, and lies at a third of the key; the scale is
/// linear on either side of it. Returns the place of the colours; an empty one, and nothing is
/// drawn, if `area` is too small.
Rect drawIntensityKey(ImDrawList& list, const Rect& area, double threshold);

}  // namespace glint::ui
