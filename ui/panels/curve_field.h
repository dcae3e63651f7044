// The area in which curves of one kind are drawn.
#pragma once

#include <string>

#include "ui/panels/curve_kind.h"
#include "ui/panels/timeline.h"

namespace glint::ui {

/// The place of one kind of curves on the screen, and the values at its edges.
struct CurveField {
  static constexpr ImU32 kGrid = IM_COL32(255, 255, 255, 22);

  CurveKind kind = CurveKind::x;
  Rect place = {};
  Scale scale = {};
  double least = 0, most = 1;  // values at the lower and upper edge, in the unit that is shown
  bool any = false;         // true if there are values in sight; otherwise the field has no marks
  const char* unit = "px";  // unit of lengths
  bool smooth = true;

  float of(double value) const {
    const double share = (value - least) / (most - least);
    return place.y + place.height * static_cast<float>(1 - share);
  }
};

/// Writes a value with enough digits to distinguish marks whose distance is `step`.
std::string markText(double value, double step);

}  // namespace glint::ui
