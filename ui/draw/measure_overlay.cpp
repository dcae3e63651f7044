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

/// What a measure reads, about a place, within the area.
void drawReading(ImDrawList& list, const Rect& area, ImVec2 at, const std::string& words) {
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const float pad = 3 * unit();
  const auto within = [](float value, float least, float most) {
    return std::round(std::max(least, std::min(value, most)));
  };
  const ImVec2 from{within(at.x, area.x + pad, area.x + area.width - size.x - pad),
                    within(at.y, area.y + pad, area.y + area.height - size.y - pad)};
  list.AddRectFilled({from.x - pad, from.y - 1}, {from.x + size.x + pad, from.y + size.y + 1},
                     IM_COL32(20, 23, 28, 220), 3);
  list.AddText(from, kText, words.c_str());
}

using Places = std::vector<std::optional<MeasurePlace>>;

void drawOne(ImDrawList& list, const View& view, MeasureKind kind, const Places& places,
             const std::string& words) {
  std::vector<ImVec2> points;
  for (const auto& place : places) {
    if (!place) return;
    const Point p = view.toScreen({place->x, place->y});
    points.push_back({p.x, p.y});
  }
  if (points.empty()) return;
  for (size_t i = 1; i < points.size(); ++i) drawStroke(list, points[i - 1], points[i]);
  for (const ImVec2 p : points) {
    list.AddCircleFilled(p, 3.5F * unit(), kUnder, 10);
    list.AddCircleFilled(p, 2.5F * unit(), kMeasure, 10);
  }
  if (words.empty() || points.size() < 2) return;
  const float em = ImGui::GetFontSize();
  const ImVec2 at = kind == MeasureKind::angle
                        ? ImVec2{points[1].x + em * 0.7F, points[1].y + em * 0.4F}
                        : ImVec2{(points[0].x + points[1].x) / 2 + em * 0.5F,
                                 (points[0].y + points[1].y) / 2 + em * 0.3F};
  drawReading(list, view.area(), at, words);
}

}  // namespace

void drawMeasures(ImDrawList& list, const View& view, const Measuring& measuring, size_t camera,
                  Point cursor) {
  const auto& measures = measuring.measures();
  for (size_t i = 0; i < measures.size() && i < measuring.readings().size(); ++i)
    if (measures[i].camera == CameraIndex(camera))
      drawOne(list, view, measures[i].kind, measuring.readings()[i].places,
              measuring.readings()[i].words);
  if (measuring.begun() && measuring.begun()->camera == CameraIndex(camera)) {
    const ImageMeasure& begun = *measuring.begun();
    Places places = measuring.places(begun);
    const ImagePoint end = view.toImage(cursor);
    places.emplace_back(MeasurePlace{end.x, end.y});
    const auto value = valueOf(begun.kind, places);
    const bool scale = measuring.tool() == MeasureTool::scale;
    drawOne(list, view, begun.kind, places,
            value ? wordsOf(begun.kind, *value, scale ? std::nullopt : measuring.scale(camera))
                  : std::string());
  }
}

}  // namespace glint::ui
