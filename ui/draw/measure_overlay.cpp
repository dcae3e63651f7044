#include "ui/draw/measure_overlay.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>

#include "ui/draw/style.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr ImU32 kMeasure = IM_COL32(255, 255, 255, 255), kUnder = IM_COL32(0, 0, 0, 170);

void drawStroke(ImDrawList& list, ImVec2 a, ImVec2 b) {
  list.AddLine(a, b, kUnder, 3 * unit());
  list.AddLine(a, b, kMeasure, std::max(1.0F, std::round(unit())));
}

/// The values of measures, drawn without overlap.
class Readings {
 public:
  Readings(ImDrawList& list, const Rect& area) : list_(list), area_(area) {}

  /// Draws words near a place, within the area.
  void draw(ImVec2 at, const std::string& words) {
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    const float pad = std::round(3 * unit());
    const auto within = [](float value, float least, float most) {
      return std::round(std::max(least, std::min(value, most)));
    };
    Rect place{within(at.x, area_.x + pad, area_.x + area_.width - size.x - pad) - pad,
               within(at.y, area_.y + pad, area_.y + area_.height - size.y - pad) - 1,
               size.x + 2 * pad, size.y + 2};
    for (bool moved = true; moved;) {
      moved = false;
      for (const Rect& other : taken_) {
        if (meet(place, other).empty()) continue;
        place.y = other.y + other.height + 1;
        moved = true;
      }
    }
    taken_.push_back(place);
    list_.AddRectFilled(upperLeft(place), lowerRight(place), IM_COL32(20, 23, 28, 220), 3);
    list_.AddText({place.x + pad, place.y + 1}, kText, words.c_str());
  }

 private:
  ImDrawList& list_;
  const Rect& area_;
  std::vector<Rect> taken_;
};

using Places = std::vector<std::optional<output::MeasurePlace>>;

/// Draws the arc of an angle at b, between the arms to a and c.
void drawArc(ImDrawList& list, ImVec2 a, ImVec2 b, ImVec2 c) {
  constexpr float kTurn = 6.2831853F;
  const float shorter =
      std::min(std::hypot(a.x - b.x, a.y - b.y), std::hypot(c.x - b.x, c.y - b.y));
  const float radius = std::min(14 * unit(), shorter / 2);
  const float from = std::atan2(a.y - b.y, a.x - b.x);
  const float turn = std::remainder(std::atan2(c.y - b.y, c.x - b.x) - from, kTurn);
  list.PathArcTo(b, radius, from, from + turn, 16);
  list.PathStroke(kMeasure, 0, std::max(1.0F, std::round(unit())));
}

void drawOne(ImDrawList& list, const View& view, output::MeasureKind kind, const Places& places,
             const std::string& words, Readings& readings) {
  std::vector<ImVec2> points;
  for (const auto& place : places) {
    if (!place) return;
    const Point p = view.toScreen({place->x, place->y});
    points.push_back({p.x, p.y});
  }
  if (points.empty()) return;
  for (size_t i = 1; i < points.size(); ++i) drawStroke(list, points[i - 1], points[i]);
  if (kind == output::MeasureKind::angle && points.size() == 3)
    drawArc(list, points[0], points[1], points[2]);
  for (const ImVec2 p : points) {
    list.AddCircleFilled(p, 3.5F * unit(), kUnder, 10);
    list.AddCircleFilled(p, 2.5F * unit(), kMeasure, 10);
  }
  if (words.empty() || points.size() < 2) return;
  const float em = ImGui::GetFontSize();
  const ImVec2 at = kind == output::MeasureKind::angle
                        ? ImVec2{points[1].x + em * 0.7F, points[1].y + em * 0.4F}
                        : ImVec2{(points[0].x + points[1].x) / 2 + em * 0.5F,
                                 (points[0].y + points[1].y) / 2 + em * 0.3F};
  readings.draw(at, words);
}

}  // namespace

void drawMeasures(ImDrawList& list, const View& view, const Measuring& measuring, size_t camera,
                  Point cursor) {
  const auto& measures = measuring.measures();
  Readings readings(list, view.area());
  for (size_t i = 0; i < measures.size() && i < measuring.readings().size(); ++i)
    if (measures[i].camera == CameraIndex(camera))
      drawOne(list, view, measures[i].kind, measuring.readings()[i].places,
              measuring.readings()[i].words, readings);
  if (measuring.begun() && measuring.begun()->camera == CameraIndex(camera)) {
    const output::ImageMeasure& begun = *measuring.begun();
    Places places = measuring.places(begun);
    const ImagePoint end = view.toImage(cursor);
    places.emplace_back(output::MeasurePlace{end.x, end.y});
    const auto value = output::valueOf(begun.kind, places);
    const bool scale = measuring.tool() == MeasureTool::scale;
    drawOne(
        list, view, begun.kind, places,
        value ? output::wordsOf(begun.kind, *value, scale ? std::nullopt : measuring.scale(camera))
              : std::string(),
        readings);
  }
}

}  // namespace glint::ui
