// The kinds of curves.
#pragma once

#include <cstddef>

#include "app/shell/desk/track_series.h"

namespace glint::ui {

/// The value that a field of curves shows: x, y, z and speed of tracks or points in space, or
/// measures of distance and angle.
enum class CurveKind { x, y, z, speed, distance, angle };
inline constexpr size_t kCurveKinds = 6;

inline bool isOfMeasures(CurveKind kind) {
  return kind >= CurveKind::distance;
}

/// Returns the quantity of a point that a curve shows. The points of a measure have a single one.
inline shell::Quantity quantityOf(CurveKind kind) {
  return isOfMeasures(kind) ? shell::Quantity::x : static_cast<shell::Quantity>(kind);
}

}  // namespace glint::ui
