// What the false colours of the plane "intensity" mean.
#pragma once

#include <imgui.h>

#include "ui/model/view.h"

namespace glint::ui {

/// The colours as shaders/image.frag has them, from 0 to full scale, with the threshold at a third:
/// below and above it each in proportion. `threshold`: of full scale. In the lower right corner of
/// `area`; nothing where that is too small. Gives where its colours are.
Rect drawIntensityKey(ImDrawList& list, const Rect& area, double threshold);

}  // namespace glint::ui
