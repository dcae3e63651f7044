#include "ui/draw/overlay.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/draw/style.h"

namespace glint::ui {
namespace {

constexpr float kLeastRadius = 4;  // px of the screen: smaller ones would hide their marker
constexpr float kTrailStep = 4;    // px of the screen: shorter pieces cost more and look the same
constexpr size_t kMostLabels = 150;
constexpr double kReach = 12;  // px of the screen about the cursor

ImVec2 at(const View& view, double x, double y) {
  const Point p = view.toScreen({x, y});
  return {p.x, p.y};
}

float radiusOf(const View& view, double radius) {
  return std::max(kLeastRadius, static_cast<float>(radius * view.zoom()) + 1.5F);
}

void drawCross(ImDrawList& list, ImVec2 p, float reach, ImU32 colour) {
  list.AddLine({p.x - reach, p.y}, {p.x + reach, p.y}, colour);
  list.AddLine({p.x, p.y - reach}, {p.x, p.y + reach}, colour);
}

void drawDashedCircle(ImDrawList& list, ImVec2 p, float radius, ImU32 colour) {
  constexpr int kDashes = 8;
  constexpr float kTurn = 6.2831853F;
  for (int i = 0; i < kDashes; ++i) {
    const float from = kTurn * static_cast<float>(i) / kDashes;
    list.PathArcTo(p, radius, from, from + kTurn / kDashes * 0.55F, 4);
    list.PathStroke(colour, 0, 2);
  }
}

void drawTrail(ImDrawList& list, const View& view, const std::vector<TrailPoint>& trail,
               ImU32 colour, float opacity) {
  if (trail.empty()) return;
  ImVec2 from = at(view, trail[0].x, trail[0].y);
  for (size_t i = 1; i < trail.size(); ++i) {
    const ImVec2 to = at(view, trail[i].x, trail[i].y);
    const bool gap = !trail[i].joined;
    const bool last = i + 1 == trail.size() || !trail[i + 1].joined;
    const bool near = std::hypot(to.x - from.x, to.y - from.y) < kTrailStep;
    if (!gap && near && !last) continue;
    const float age = static_cast<float>(i) / static_cast<float>(trail.size());
    if (!gap) list.AddLine(from, to, withAlpha(colour, age * 0.8F * opacity), 1);
    from = to;
  }
}

void drawTracked(ImDrawList& list, const View& view, const TrackRow& row, bool chosen,
                 float opacity) {
  const ImVec2 p = at(view, row.x, row.y);
  const ImU32 colour = withAlpha(colourOfTrack(row.track), opacity);
  const float radius = radiusOf(view, row.seen.radius);
  if (row.state == TrackState::measured) {
    list.AddCircle(p, radius, colour, 0, chosen ? 3.0F : 2.0F);
    drawCross(list, p, std::min(3.0F, radius), colour);
  } else {
    drawDashedCircle(list, p, radius, withAlpha(colour, 0.8F));
  }
  if (chosen) list.AddCircle(p, radius + 5, IM_COL32(255, 255, 255, 200), 0, 2);
}

void drawLabel(ImDrawList& list, const View& view, const TrackRow& row, bool provisional,
               float opacity) {
  const ImVec2 p = at(view, row.x, row.y);
  const float radius = radiusOf(view, row.seen.radius);
  const std::string text = fmt::format("{}{}", provisional ? "~" : "", row.track);
  const ImVec2 corner{std::round(p.x + radius * 0.8F + 2), std::round(p.y - radius * 0.8F - 12)};
  list.AddText({corner.x + 1, corner.y + 1}, IM_COL32(0, 0, 0, 200), text.c_str());
  list.AddText(corner, withAlpha(colourOfTrack(row.track), opacity), text.c_str());
}

/// Not of a confirmed track: four corners about it.
void drawUntracked(ImDrawList& list, const View& view, const shared::Detection& seen,
                   float opacity) {
  const ImVec2 p = at(view, seen.x, seen.y);
  const float r = radiusOf(view, seen.radius) + 1;
  const float side = std::max(2.0F, r * 0.45F);
  const ImU32 colour = withAlpha(kUntracked, 0.8F * opacity);
  for (const float x : {-1.0F, 1.0F}) {
    for (const float y : {-1.0F, 1.0F}) {
      const ImVec2 corner{p.x + x * r, p.y + y * r};
      list.AddLine(corner, {corner.x - x * side, corner.y}, colour);
      list.AddLine(corner, {corner.x, corner.y - y * side}, colour);
    }
  }
}

void drawRejected(ImDrawList& list, const View& view, const Rejected& rejected, float opacity) {
  const auto [x, y] = placeOf(rejected);
  const ImVec2 p = at(view, x, y);
  const ImU32 colour = withAlpha(kRejected, opacity);
  list.AddLine({p.x - 3.5F, p.y - 3.5F}, {p.x + 3.5F, p.y + 3.5F}, colour, 1.5F);
  list.AddLine({p.x - 3.5F, p.y + 3.5F}, {p.x + 3.5F, p.y - 3.5F}, colour, 1.5F);
}

/// An ellipse along the axes.
void drawUncertainty(ImDrawList& list, const View& view, const TrackRow& row, float opacity) {
  constexpr int kCorners = 24;
  constexpr double kTurn = 6.283185307179586;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = kTurn * i / kCorners;
    list.PathLineTo(at(view, row.x + kUncertaintyEnlarged * row.seen.sigmaX * std::cos(angle),
                       row.y + kUncertaintyEnlarged * row.seen.sigmaY * std::sin(angle)));
  }
  list.PathStroke(IM_COL32(255, 255, 255, static_cast<int>(150 * opacity)), ImDrawFlags_Closed, 1);
}

void drawGate(ImDrawList& list, const View& view, const shared::Prediction& gate) {
  const ImVec2 place = at(view, static_cast<double>(gate.x), static_cast<double>(gate.y));
  const ImU32 colour = colourOfTrack(TrackId(gate.track));
  list.AddCircle(place, static_cast<float>(gate.gate * view.zoom()), withAlpha(colour, 0.5F));
  drawCross(list, place, 4, withAlpha(IM_COL32_WHITE, 0.8F));
}

bool isTracked(const CameraTracks& tracks, const shared::Detection& seen) {
  return std::any_of(tracks.rows.begin(), tracks.rows.end(), [&](const TrackRow& row) {
    return row.state == TrackState::measured && static_cast<float>(row.seen.x) == seen.x &&
           static_cast<float>(row.seen.y) == seen.y;
  });
}

double distance(const View& view, double x, double y, Point cursor) {
  const ImVec2 p = at(view, x, y);
  return std::hypot(p.x - cursor.x, p.y - cursor.y);
}

}  // namespace

void drawOverlay(ImDrawList& list, const View& view, const CameraTracks& tracks,
                 const OverlayOptions& options, std::optional<TrackId> selected, bool stale) {
  if (options.gates)
    for (const shared::Prediction& gate : tracks.gates) drawGate(list, view, gate);
  const float opacity = stale || tracks.provisional ? 0.45F : 1.0F;
  const ImDrawListFlags before = list.Flags;
  if (!options.smoothLines) list.Flags &= ~ImDrawListFlags_AntiAliasedLines;
  if (options.trails) {
    for (const auto& [track, trail] : tracks.trails)
      drawTrail(list, view, trail, colourOfTrack(track), opacity);
  }
  list.Flags = before;
  if (options.markers) {
    for (const shared::Detection& seen : tracks.measured->markers)
      if (!isTracked(tracks, seen)) drawUntracked(list, view, seen, opacity);
    for (const TrackRow& row : tracks.rows)
      drawTracked(list, view, row, selected == row.track, opacity);
  }
  if (options.rejected) {
    for (const Rejected& rejected : tracks.measured->rejected)
      if (!isPartOfMarker(*tracks.measured, rejected)) drawRejected(list, view, rejected, opacity);
  }
  if (options.uncertainty) {
    for (const TrackRow& row : tracks.rows) drawUncertainty(list, view, row, opacity);
  }
  if (options.ids) {
    size_t labels = 0;
    for (const TrackRow& row : tracks.rows)
      if (labels++ < kMostLabels || selected == row.track)
        drawLabel(list, view, row, tracks.provisional, opacity);
  }
}

std::pair<double, double> placeOf(const Rejected& rejected) {
  if (rejected.measured) return {rejected.seen.x, rejected.seen.y};
  return {rejected.seen.peakX, rejected.seen.peakY};
}

bool isPartOfMarker(const LayerMeasurement& measured, const Rejected& rejected) {
  if (rejected.reason != Rejection::tooNear) return false;
  const auto [x, y] = placeOf(rejected);
  for (const shared::Detection& seen : measured.markers) {
    const double dx = x - static_cast<double>(seen.x), dy = y - static_cast<double>(seen.y);
    if (std::hypot(dx, dy) <= static_cast<double>(seen.radius) + 1) return true;
  }
  return false;
}

std::optional<TrackId> trackAt(const View& view, const CameraTracks& tracks, Point cursor) {
  std::optional<TrackId> nearest;
  double least = 0;
  for (const TrackRow& row : tracks.rows) {
    const double away = distance(view, row.x, row.y, cursor);
    const double reach = std::max(kReach, double{radiusOf(view, row.seen.radius)});
    if (away >= reach || (nearest && away >= least)) continue;
    least = away;
    nearest = row.track;
  }
  return nearest;
}

const Rejected* rejectedAt(const View& view, const CameraTracks& tracks, Point cursor) {
  const Rejected* nearest = nullptr;
  double least = kReach;
  for (const Rejected& rejected : tracks.measured->rejected) {
    const auto [x, y] = placeOf(rejected);
    const double away = distance(view, x, y, cursor);
    if (away >= least || isPartOfMarker(*tracks.measured, rejected)) continue;
    least = away;
    nearest = &rejected;
  }
  return nearest;
}

}  // namespace glint::ui
