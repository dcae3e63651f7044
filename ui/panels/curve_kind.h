// What curves are drawn of.
#pragma once

#include <cstddef>

#include "app/desk/track_series.h"

namespace glint::ui {

/// What a field of curves shows: of tracks, or of measures.
enum class CurveKind { x, y, speed, distance, angle };
inline constexpr size_t kCurveKinds = 5;

inline bool isOfMeasures(CurveKind kind) {
  return kind >= CurveKind::distance;
}

/// Which value of its points; those of a measure have one.
inline Quantity quantityOf(CurveKind kind) {
  return isOfMeasures(kind) ? Quantity::x : static_cast<Quantity>(kind);
}

}  // namespace glint::ui
