#include "ui/draw/hit_test.h"

#include <algorithm>
#include <cmath>

#include "ui/draw/marks.h"
#include "ui/draw/style.h"
#include "ui/model/rejections.h"

namespace glint::ui {
namespace {

constexpr double kReach = 12;  // points from the cursor

double distance(const View& view, double x, double y, Point cursor) {
  const ImVec2 p = onScreen(view, x, y);
  return std::hypot(p.x - cursor.x, p.y - cursor.y);
}

}  // namespace

std::optional<TrackId> trackAt(const View& view, const CameraTracks& tracks, Point cursor) {
  std::optional<TrackId> nearest;
  double least = 0;
  for (const motion::TrackRow& row : tracks.rows) {
    const double away = distance(view, row.x, row.y, cursor);
    const double reach = std::max(kReach * unit(), double{circleRadius(view, row.seen.radius)});
    if (away >= reach || (nearest && away >= least)) continue;
    least = away;
    nearest = row.track;
  }
  return nearest;
}

const gpu::Rejected* rejectedAt(const View& view, const CameraTracks& tracks, Point cursor) {
  const gpu::Rejected* nearest = nullptr;
  double least = kReach * unit();
  for (const gpu::Rejected& rejected : tracks.measured->rejected) {
    const auto [x, y] = placeOf(rejected);
    const double away = distance(view, x, y, cursor);
    if (away >= least || isPartOfMarker(*tracks.measured, rejected)) continue;
    least = away;
    nearest = &rejected;
  }
  return nearest;
}

}  // namespace glint::ui
