#include "app/output/edit/measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace glint::output {

size_t pointsOf(MeasureKind kind) {
  return kind == MeasureKind::distance ? 2 : 3;
}

std::string nameOf(MeasureKind kind) {
  return kind == MeasureKind::distance ? "distance" : "angle";
}

std::optional<MeasureKind> measureKind(const std::string& name) {
  for (const MeasureKind kind : {MeasureKind::distance, MeasureKind::angle})
    if (nameOf(kind) == name) return kind;
  return std::nullopt;
}

std::optional<double> valueOf(MeasureKind kind,
                              std::span<const std::optional<MeasurePlace>> places) {
  if (places.size() != pointsOf(kind)) return std::nullopt;
  if (!std::ranges::all_of(places, [](const auto& one) { return one.has_value(); }))
    return std::nullopt;
  const MeasurePlace a = *places[0], b = *places[1];
  if (kind == MeasureKind::distance) return std::hypot(a.x - b.x, a.y - b.y);
  const double ax = a.x - b.x, ay = a.y - b.y, cx = places[2]->x - b.x, cy = places[2]->y - b.y;
  if ((ax == 0 && ay == 0) || (cx == 0 && cy == 0)) return std::nullopt;
  // The arctangent is exact near 0 and 180 degrees, unlike the cosine.
  return std::abs(std::atan2(ax * cy - ay * cx, ax * cx + ay * cy)) * 180 / std::numbers::pi;
}

std::string wordsOf(MeasureKind kind, double value, std::optional<double> mmPerPx) {
  if (kind == MeasureKind::angle) return fmt::format("{:.1f}\u00b0", value);
  std::string words = fmt::format("{:.1f} px", value);
  if (mmPerPx) words += fmt::format(", {:.4g} mm", value * *mmPerPx);
  return words;
}

}  // namespace glint::output
