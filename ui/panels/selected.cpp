#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/area.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr double kCurveSeconds = 4;

const TrackRow* rowOf(const Context& context) {
  if (!context.selected || !context.shown.frame) return nullptr;
  for (const TrackRow& row : context.shown.cameras[context.selected->camera].live)
    if (row.track == context.selected->track) return &row;
  return nullptr;
}

void line(const char* name, const char* format, double a, double b) {
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%s", name);
  ImGui::SameLine(ImGui::GetFontSize() * 4.2F);
  ImGui::Text(format, a, b);
}

/// Around the marker, each pixel large; with the refined centre, and its uncertainty enlarged.
void drawPatch(Context& context, const Rect& place, const TrackRow& row, Scene& scene) {
  const size_t camera = context.selected->camera;
  const CameraGroups& groups = context.task.session.groups();
  const ImageFormat& format = groups.formats[groups.places[camera].group].image;
  View view;
  view.place(place, format.width, format.height);
  view.showAt({row.x, row.y}, place.width / std::clamp(4 * row.seen.radius, 8.0, 64.0));
  constexpr double kEnlarged = 10;
  const Point p = view.toScreen({row.x, row.y});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (const auto image = imageOf(context, camera, view, scene)) addInset(list, scene, *image);
  list.PushClipRect({place.x, place.y}, {place.x + place.width, place.y + place.height}, true);
  const ImU32 colour = colourOfTrack(row.track);
  list.AddCircle({p.x, p.y}, static_cast<float>(row.seen.radius * view.zoom()), colour, 0, 1.5F);
  list.AddLine({p.x - 6, p.y}, {p.x + 6, p.y}, colour);
  list.AddLine({p.x, p.y - 6}, {p.x, p.y + 6}, colour);
  const auto sigma =
      static_cast<float>(kEnlarged * std::max(row.seen.sigmaX, row.seen.sigmaY) * view.zoom());
  if (sigma > 1) list.AddCircle({p.x, p.y}, sigma, IM_COL32(255, 255, 255, 120));
  list.PopClipRect();
  list.AddRect({place.x, place.y}, {place.x + place.width, place.y + place.height},
               IM_COL32(90, 98, 112, 255));
}

/// Of the track, up to the frame that is shown.
std::vector<TrailPoint> pathOf(const Context& context, const TrackRow& row) {
  const size_t camera = context.selected->camera;
  const SessionFrame& frame = *context.shown.frame;
  if (context.shown.recorded) {
    if (auto known =
            context.recorded.frame(camera, frame.index, kCurveSeconds, context.player.rate()))
      return known->trails[row.track];
  }
  return context.trails.of(camera, frame.pass, frame.index, kCurveSeconds)[row.track];
}

void drawCurve(const Rect& place, const std::vector<TrailPoint>& path, const char* name,
               float TrailPoint::*value, ImU32 colour) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({place.x, place.y}, {place.x + place.width, place.y + place.height},
                     IM_COL32(14, 16, 20, 255), 3);
  if (path.size() < 2) return;
  float least = path.front().*value, most = least;
  for (const TrailPoint& point : path) {
    least = std::min(least, point.*value);
    most = std::max(most, point.*value);
  }
  const float text = ImGui::GetFontSize() + 4;  // the curve stays below the words
  const float range = std::max(most - least, 1e-3F);
  const auto at = [&](const TrailPoint& point) {
    const double age = (path.back().time - point.time) / kCurveSeconds;
    return ImVec2{place.x + place.width * static_cast<float>(1 - age) - 2,
                  place.y + text + (place.height - text - 3) * (most - point.*value) / range};
  };
  for (size_t i = 1; i < path.size(); ++i)
    if (path[i].frame == path[i - 1].frame + 1)
      list.AddLine(at(path[i - 1]), at(path[i]), colour, 1.5F);
  char words[48];
  snprintf(words, sizeof words, "%s  %.1f to %.1f px, %g s", name, static_cast<double>(least),
           static_cast<double>(most), kCurveSeconds);
  list.AddText({place.x + 4, place.y + 1}, kFaint, words);
}

}  // namespace

void drawSelected(Context& context, const Rect& views, Scene& scene) {
  const TrackRow* row = rowOf(context);
  if (!context.selected) return;
  const float em = ImGui::GetFontSize();
  const float patch = std::round(em * 10), wide = patch + em * 16;
  const float curves = std::round(em * 4);
  if (views.width < wide + 20 || views.height < patch + curves + 36) return;
  const Rect place{views.x + 10, views.y + 10, wide, patch + curves + 18};
  const Area area("selected", place, 0, 0);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect image{place.x + 6, place.y + 6, patch, patch};
  list.AddRectFilled({place.x, place.y}, {place.x + place.width, place.y + place.height},
                     IM_COL32(20, 23, 28, 235), 4);
  if (row) drawPatch(context, image, *row, scene);
  ImGui::SetCursorScreenPos({image.x + patch + 10, image.y});
  ImGui::BeginGroup();
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(colourOfTrack(context.selected->track)),
                     "track %llu", static_cast<unsigned long long>(context.selected->track));
  if (!row) {
    ImGui::TextUnformatted("not in this frame");
  } else {
    line("place", "%.2f, %.2f px", row->x, row->y);
    line("sigma", "%.3f, %.3f px", row->seen.sigmaX, row->seen.sigmaY);
    line("speed", "%.0f, %.0f px/s", row->vx, row->vy);
    line("radius", "%.2f px", row->seen.radius, 0);
    line("peak", "%.0f  mass %.0f", row->seen.peak, row->seen.mass);
    line("shape", "eccentricity %.2f", row->seen.eccentricity, 0);
    if (row->state == TrackState::predicted) ImGui::TextUnformatted("hidden: where it is expected");
    hint("The faint circle about the centre is ten times its uncertainty");
  }
  ImGui::EndGroup();
  if (row) {
    const std::vector<TrailPoint> path = pathOf(context, *row);
    const float half = std::round((wide - 18) / 2), below = image.y + patch + 6;
    const ImU32 colour = colourOfTrack(row->track);
    drawCurve({image.x, below, half, curves}, path, "x", &TrailPoint::x, colour);
    drawCurve({image.x + half + 6, below, half, curves}, path, "y", &TrailPoint::y, colour);
    context.driver.set("selected_path", uint64_t{path.size()});
  }
  context.driver.note("selected", place);
}

}  // namespace glint::ui
