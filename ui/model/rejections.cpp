#include "ui/model/rejections.h"

#include <cmath>

namespace glint::ui {

std::pair<double, double> placeOf(const gpu::Rejected& rejected) {
  if (rejected.measured) return {rejected.seen.x, rejected.seen.y};
  return {rejected.seen.peakX, rejected.seen.peakY};
}

bool isPartOfMarker(const gpu::LayerMeasurement& measured, const gpu::Rejected& rejected) {
  if (rejected.reason != gpu::Rejection::tooNear) return false;
  const auto [x, y] = placeOf(rejected);
  for (const shared::Detection& seen : measured.markers) {
    const double dx = x - static_cast<double>(seen.x), dy = y - static_cast<double>(seen.y);
    if (std::hypot(dx, dy) <= static_cast<double>(seen.radius) + 1) return true;
  }
  return false;
}

}  // namespace glint::ui
