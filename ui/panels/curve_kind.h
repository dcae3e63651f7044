// What curves are drawn of.
#pragma once

#include <cstddef>

#include "app/shell/desk/track_series.h"

namespace glint::ui {

/// What a field of curves shows: of tracks, or of measures.
enum class CurveKind { x, y, speed, distance, angle };
inline constexpr size_t kCurveKinds = 5;

inline bool isOfMeasures(CurveKind kind) {
  return kind >= CurveKind::distance;
}

/// Which value of its points; those of a measure have one.
inline shell::Quantity quantityOf(CurveKind kind) {
  return isOfMeasures(kind) ? shell::Quantity::x : static_cast<shell::Quantity>(kind);
}

}  // namespace glint::ui
