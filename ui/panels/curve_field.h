// Where curves of one kind are drawn.
#pragma once

#include <string>

#include "ui/panels/curve_kind.h"
#include "ui/panels/timeline.h"

namespace glint::ui {

/// One kind's place on the screen, and the values at its edges.
struct CurveField {
  static constexpr ImU32 kGrid = IM_COL32(255, 255, 255, 22);

  CurveKind kind = CurveKind::x;
  Rect place = {};
  Scale scale = {};
  double least = 0, most = 1;  // in the unit that is shown
  bool any = false;            // values are in sight; without them there is nothing to mark
  const char* unit = "px";     // of lengths
  bool smooth = true;

  float of(double value) const {
    const double share = (value - least) / (most - least);
    return place.y + place.height * static_cast<float>(1 - share);
  }
};

/// Writes a value with so many digits that marks `step` apart differ.
std::string markText(double value, double step);

}  // namespace glint::ui
