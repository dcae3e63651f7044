#include "ui/draw/scene.h"

#include <algorithm>

#include <imgui.h>

namespace glint::ui {
namespace {

struct Chosen {
  const gpu::PlaneImage* image = nullptr;
  DisplayPlane plane = DisplayPlane::source;
};

Chosen choosePlane(const gpu::PlaneImages& planes, DisplayPlane wanted) {
  const auto planeOf = [&](DisplayPlane plane) -> const gpu::PlaneImage& {
    if (plane == DisplayPlane::source) return planes.source;
    if (plane == DisplayPlane::luminance) return planes.luminance;
    if (plane == DisplayPlane::filter) return planes.filter;
    return plane == DisplayPlane::candidates ? planes.candidates : planes.response;
  };
  if (planeOf(wanted).buffer) return {&planeOf(wanted), wanted};
  for (const DisplayPlane other : {DisplayPlane::source, DisplayPlane::luminance,
                                   DisplayPlane::response, DisplayPlane::candidates})
    if (planeOf(other).buffer) return {&planeOf(other), other};
  return {};
}

Point scaled(Point p) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  return {p.x * scale.x, p.y * scale.y};
}

}  // namespace

Rect toFramebuffer(const Rect& r) {
  const Point from = scaled({r.x, r.y}), size = scaled({r.width, r.height});
  return {from.x, from.y, size.x, size.y};
}

std::optional<PlaneShown> planeShown(const WindowModel& model, const ViewState& viewState,
                                     size_t camera) {
  const capture::CameraGroups::Place place = model.place(camera);
  if (place.group >= model.shown.planes.size()) return std::nullopt;
  const auto& planes = model.shown.planes[place.group];
  if (!planes) return std::nullopt;
  const auto [chosen, plane] = choosePlane(*planes, viewState.plane);
  if (!chosen) return std::nullopt;
  return PlaneShown{planes, chosen, plane};
}

std::optional<PaintedImage> imageOf(const WindowModel& model, const ViewState& viewState,
                                    size_t camera, const View& view, Scene& scene) {
  const auto shown = planeShown(model, viewState, camera);
  if (!shown) return std::nullopt;
  const auto& [planes, chosen, plane] = *shown;
  const auto full = static_cast<float>((1U << chosen->format.bits) - 1);
  PaintedImage image{.plane = chosen,
                     .layer = model.place(camera).layer,
                     .origin = scaled(view.origin()),
                     .zoom = view.zoom() * ImGui::GetIO().DisplayFramebufferScale.x,
                     .visible = toFramebuffer(view.visible()),
                     .black = viewState.black * full,
                     .white = viewState.white * full};
  if (plane == DisplayPlane::filter) {  // the output of a filter may cover only a part of the frame
    const auto scale = static_cast<float>(image.zoom);
    image.origin.x += static_cast<float>(chosen->left) * scale;
    image.origin.y += static_cast<float>(chosen->top) * scale;
    image.visible = meet(image.visible, {image.origin.x, image.origin.y,
                                         static_cast<float>(chosen->format.width) * scale,
                                         static_cast<float>(chosen->format.height) * scale});
  }
  if (plane == DisplayPlane::candidates) {
    image.black = 0;
    image.white = 1;
  }
  if (plane == DisplayPlane::intensity) {
    image.intensity = true;
    image.threshold = static_cast<float>(model.tracks.cameras()[camera].measured->threshold);
    image.white = full;
  }
  if (std::find(scene.planes.begin(), scene.planes.end(), planes) == scene.planes.end())
    scene.planes.push_back(planes);
  return image;
}

}  // namespace glint::ui
