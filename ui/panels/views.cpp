#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "gpu/limits.h"
#include "ui/colours.h"
#include "ui/panels/area.h"
#include "ui/panels/panels.h"
#include "ui/pixel_values.h"

namespace glint::ui {
namespace {

constexpr double kWheelStep = 1.25;

void handleMouse(Context& context, size_t camera, View& view) {
  const ImGuiIO& io = ImGui::GetIO();
  const Point cursor{io.MousePos.x, io.MousePos.y};
  if (ImGui::IsItemHovered() && io.MouseWheel != 0)
    view.zoomBy(std::pow(kWheelStep, io.MouseWheel), cursor);
  const bool drags = ImGui::IsItemActive() &&
                     (ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0) ||
                      (!context.painting.on() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)));
  if (drags) view.moveBy(io.MouseDelta.x, io.MouseDelta.y);
  if (context.painting.on()) return context.painting.paint(camera, view);
  if (!ImGui::IsItemHovered() || !context.shown.frame) return;
  const CameraFrame& frame = context.shown.cameras[camera];
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && context.cameras() > 1) {
    context.enlarged = context.enlarged ? std::nullopt : std::optional(camera);
  } else if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && io.MouseDragMaxDistanceSqr[0] < 16) {
    const auto track = trackAt(view, frame, cursor);
    context.selected = track ? std::optional(Selection{camera, *track}) : std::nullopt;
  }
  if (!context.overlay.rejected) return;
  if (const Rejected* rejected = rejectedAt(view, frame, cursor)) {
    context.driver.set("pointed", std::string(nameOf(rejected->reason)));
    ImGui::BeginTooltip();
    ImGui::Text("no marker: %s\nat %.1f, %.1f  peak %u",
                std::string(nameOf(rejected->reason)).c_str(),
                rejected->measured ? static_cast<double>(rejected->seen.x) : rejected->seen.peakX,
                rejected->measured ? static_cast<double>(rejected->seen.y) : rejected->seen.peakY,
                rejected->seen.peak);
    context.driver.note("tip");
    ImGui::EndTooltip();
  }
}

void drawCaption(Context& context, size_t camera, const Rect& cell) {
  if (context.cameras() < 2) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string& name = context.task.sources[camera];
  list.PushClipRect({cell.x, cell.y}, {cell.x + cell.width - 4, cell.y + cell.height}, true);
  list.AddText({cell.x + 7, cell.y + 6}, IM_COL32(0, 0, 0, 200), name.c_str());
  list.AddText({cell.x + 6, cell.y + 5}, kText, name.c_str());
  list.PopClipRect();
}

/// Of planes that the host has, too.
void drawValues(Context& context, size_t camera, const View& view, ImDrawList& list) {
  const auto image = pixelsOf(context, camera);
  if (!image) return;
  const bool same = context.shows == Shows::source ||
                    (context.shows == Shows::luminance && image->format.channels == 1);
  if (!same) return;
  const size_t count = drawPixelValues(list, view, *image, context.black, context.white);
  if (camera == 0) context.driver.set("pixel_values", uint64_t{count});
}

void drawFrame(const Rect& place, ImU32 colour) {
  ImGui::GetWindowDrawList()->AddRect({place.x + 1, place.y + 1},
                                      {place.x + place.width - 1, place.y + place.height - 1},
                                      colour, 0, 0, 2);
}

/// For tests: where they are.
void noteRejected(Context& context, const View& view) {
  size_t number = 0;
  const CameraFrame& frame = context.shown.cameras.front();
  for (const Rejected& rejected : frame.measured.rejected) {
    if (isPartOfMarker(frame, rejected)) continue;
    const auto [x, y] = placeOf(rejected);
    const Point p = view.toScreen({x, y});
    if (view.area().contains(p) && number < 20)
      context.driver.note(fmt::format("rejected:{}", number++), {p.x - 1, p.y - 1, 2, 2});
  }
}

void drawCamera(Context& context, size_t camera, const Rect& cell, Scene& scene) {
  const CameraGroups& groups = context.task.session.groups();
  const ImageFormat& format = groups.formats[groups.places[camera].group].image;
  View& view = context.views[camera];
  view.place(cell, format.width, format.height);
  ImGui::SetCursorScreenPos({cell.x, cell.y});
  ImGui::PushID(static_cast<int>(camera));
  ImGui::InvisibleButton("view", {cell.width, cell.height},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  context.driver.note(fmt::format("camera{}", camera));
  handleMouse(context, camera, view);
  ImGui::PopID();
  if (context.shown.frame) {
    if (const auto image = imageOf(context, camera, view, scene)) scene.images.push_back(*image);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect({cell.x, cell.y}, {cell.x + cell.width, cell.y + cell.height}, true);
    drawValues(context, camera, view, list);
    if (context.overlay.expected && camera < context.shown.expected.size())
      drawExpected(list, view, context.shown.expected[camera]);
    const bool chosen = context.selected && context.selected->camera == camera;
    drawOverlay(list, view, context.shown.cameras[camera], context.shown.trails[camera],
                context.overlay, chosen ? std::optional(context.selected->track) : std::nullopt,
                context.shown.stale);
    if (context.overlay.masks || context.painting.on())
      context.painting.drawOver(list, view, camera);
    list.PopClipRect();
    if (context.driver.on() && camera == 0) {
      for (const TrackRow& row : context.shown.cameras[camera].live) {
        const Point p = view.toScreen({row.x, row.y});
        context.driver.note(fmt::format("marker:{}", row.track), {p.x - 1, p.y - 1, 2, 2});
      }
      if (context.overlay.rejected) noteRejected(context, view);
    }
  }
  drawCaption(context, camera, cell);
}

}  // namespace

void drawViews(Context& context, const Rect& place, Scene& scene) {
  const Area area("views", place, 0, 0);
  scene.background = toFramebuffer(place);
  context.views.resize(context.cameras());
  context.driver.note("views", place);
  const CameraGroups& groups = context.task.session.groups();
  const ImageFormat& first = groups.formats.front().image;
  const double aspect = static_cast<double>(first.width) / first.height;
  for (size_t i = 0; i < context.cameras(); ++i) {
    if (!context.enlarged)
      drawCamera(context, i, gridCell(place, i, context.cameras(), aspect), scene);
    else if (*context.enlarged == i)
      drawCamera(context, i, place, scene);
  }
  if (context.recordingState.status() && !context.copiesView) drawFrame(place, kRecord);
}

}  // namespace glint::ui
