#include "ui/draw/marks.h"

#include <algorithm>
#include <cmath>

#include "ui/draw/style.h"
#include "ui/model/rejections.h"

namespace glint::ui {
namespace {

// Lengths in points, of which each is unit() px of the screen.
constexpr float kLeastRadius = 4;  // smaller circles would hide their marker
// Shorter pieces of a trail cost more, and look the same.
constexpr float kTrailStep = 4;

/// Draws a line exactly where it is wanted: takes off the half px that ImGui adds to its ends.
void addLine(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness) {
  list.AddLine({from.x - 0.5F, from.y - 0.5F}, {to.x - 0.5F, to.y - 0.5F}, colour, thickness);
}

void drawCross(ImDrawList& list, ImVec2 p, float reach, ImU32 colour) {
  addLine(list, {p.x - reach, p.y}, {p.x + reach, p.y}, colour, lineWidth(1));
  addLine(list, {p.x, p.y - reach}, {p.x, p.y + reach}, colour, lineWidth(1));
}

void drawDashedCircle(ImDrawList& list, ImVec2 p, float radius, ImU32 colour) {
  constexpr int kDashes = 8;
  constexpr float kTurn = 6.2831853F;
  for (int i = 0; i < kDashes; ++i) {
    const float from = kTurn * static_cast<float>(i) / kDashes;
    list.PathArcTo(p, radius, from, from + kTurn / kDashes * 0.55F, 4);
    list.PathStroke(colour, 0, lineWidth(2));
  }
}

/// Returns the number of sides that a circle needs to look round; 0 leaves it to ImGui, which gives
/// large circles too few (48).
int sidesOf(float radius) {
  constexpr float kOff = 0.3F, kSmall = 100;  // px
  if (radius < kSmall) return 0;
  return std::min(512, static_cast<int>(std::ceil(3.1416F / std::acos(1 - kOff / radius))));
}

}  // namespace

ImVec2 onScreen(const View& view, double x, double y) {
  const Point p = view.toScreen({x, y});
  return {p.x, p.y};
}

float circleRadius(const View& view, double radius) {
  return std::max(kLeastRadius * unit(), static_cast<float>(radius * view.zoom()) + 1.5F * unit());
}

float lineWidth(float points) {
  return std::max(1.0F, std::round(points * unit()));
}

void drawTrail(ImDrawList& list, const View& view, const std::vector<TrailPoint>& trail,
               ImU32 colour, float opacity) {
  if (trail.empty()) return;
  ImVec2 from = onScreen(view, trail[0].x, trail[0].y);
  for (size_t i = 1; i < trail.size(); ++i) {
    const ImVec2 to = onScreen(view, trail[i].x, trail[i].y);
    const bool gap = !trail[i].joined;
    const bool last = i + 1 == trail.size() || !trail[i + 1].joined;
    const bool near = std::hypot(to.x - from.x, to.y - from.y) < kTrailStep * unit();
    if (!gap && near && !last) continue;
    const float age = static_cast<float>(i) / static_cast<float>(trail.size());
    if (!gap) addLine(list, from, to, withAlpha(colour, age * 0.8F * opacity), lineWidth(1));
    from = to;
  }
}

void drawTracked(ImDrawList& list, const View& view, const motion::TrackRow& row, ImU32 colour,
                 bool chosen, float opacity) {
  const ImVec2 p = onScreen(view, row.x, row.y);
  colour = withAlpha(colour, opacity);
  const float radius = circleRadius(view, row.seen.radius);
  if (row.state == motion::TrackState::measured) {
    list.AddCircle(p, radius, colour, sidesOf(radius), lineWidth(chosen ? 3 : 2));
    drawCross(list, p, std::min(3.0F * unit(), radius), colour);
  } else {
    drawDashedCircle(list, p, radius, withAlpha(colour, 0.8F));
  }
  if (chosen) list.AddCircle(p, radius + 5 * unit(), IM_COL32(255, 255, 255, 200), 0, lineWidth(2));
}

void drawUntracked(ImDrawList& list, const View& view, const shared::Detection& seen,
                   float opacity) {
  const ImVec2 p = onScreen(view, seen.x, seen.y);
  const float r = circleRadius(view, seen.radius) + unit();
  const float side = std::max(2.0F * unit(), r * 0.45F);
  const ImU32 colour = withAlpha(kUntracked, 0.8F * opacity);
  for (const float x : {-1.0F, 1.0F}) {
    for (const float y : {-1.0F, 1.0F}) {
      const ImVec2 corner{p.x + x * r, p.y + y * r};
      addLine(list, corner, {corner.x - x * side, corner.y}, colour, lineWidth(1));
      addLine(list, corner, {corner.x, corner.y - y * side}, colour, lineWidth(1));
    }
  }
}

void drawRejected(ImDrawList& list, const View& view, const gpu::Rejected& rejected,
                  float opacity) {
  const auto [x, y] = placeOf(rejected);
  const ImVec2 p = onScreen(view, x, y);
  const ImU32 colour = withAlpha(kRejected, opacity);
  const float reach = 3.5F * unit(), thickness = 1.5F * unit();
  addLine(list, {p.x - reach, p.y - reach}, {p.x + reach, p.y + reach}, colour, thickness);
  addLine(list, {p.x - reach, p.y + reach}, {p.x + reach, p.y - reach}, colour, thickness);
}

void drawUncertainty(ImDrawList& list, const View& view, const motion::TrackRow& row,
                     double enlarged, float opacity) {
  constexpr double kTurn = 6.283185307179586;
  const double radius = enlarged * std::max(row.seen.sigmaX, row.seen.sigmaY) * view.zoom();
  const int corners = std::max(24, sidesOf(static_cast<float>(radius)));
  for (int i = 0; i < corners; ++i) {
    const double angle = kTurn * i / corners;
    list.PathLineTo(onScreen(view, row.x + enlarged * row.seen.sigmaX * std::cos(angle),
                             row.y + enlarged * row.seen.sigmaY * std::sin(angle)));
  }
  list.PathStroke(IM_COL32(255, 255, 255, static_cast<int>(150 * opacity)), ImDrawFlags_Closed,
                  lineWidth(1));
}

void drawGate(ImDrawList& list, const View& view, const shared::Prediction& gate, ImU32 colour,
              double enlarged) {
  const ImVec2 place = onScreen(view, static_cast<double>(gate.x), static_cast<double>(gate.y));
  const auto radius = static_cast<float>(enlarged * static_cast<double>(gate.gate) * view.zoom());
  // Points; a larger filled circle would cover the image.
  constexpr float kFilled = 60;
  if (radius < kFilled * unit())
    list.AddCircleFilled(place, radius, withAlpha(colour, 0.15F), sidesOf(radius));
  list.AddCircle(place, radius, withAlpha(colour, 0.9F), sidesOf(radius), lineWidth(1));
  drawCross(list, place, 2 * unit(), withAlpha(IM_COL32_WHITE, 0.8F));
}

}  // namespace glint::ui
