// Which plane is drawn, and how.
#include <algorithm>

#include <imgui.h>

#include "ui/context.h"

namespace glint::ui {
namespace {

/// What is drawn of one camera: the plane that is chosen, or, until that is there, what there is.
struct Chosen {
  const PlaneImage* plane = nullptr;
  Shows shows = Shows::source;
};

Chosen choosePlane(const PlaneImages& planes, Shows wanted) {
  const auto planeOf = [&](Shows shows) -> const PlaneImage& {
    if (shows == Shows::source) return planes.source;
    if (shows == Shows::luminance) return planes.luminance;
    return shows == Shows::candidates ? planes.candidates : planes.response;
  };
  if (planeOf(wanted).buffer) return {&planeOf(wanted), wanted};
  for (const Shows other : {Shows::source, Shows::luminance, Shows::response, Shows::candidates})
    if (planeOf(other).buffer) return {&planeOf(other), other};
  return {};
}

Point scaled(Point p) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  return {p.x * scale.x, p.y * scale.y};
}

Rect scaled(const Rect& r) {
  const Point from = scaled(Point{r.x, r.y}), size = scaled(Point{r.width, r.height});
  return {from.x, from.y, size.x, size.y};
}

}  // namespace

Rect toFramebuffer(const Rect& r) {
  return scaled(r);
}

std::optional<ImageView> pixelsOf(const Context& context, size_t camera) {
  const FrameSet& set = context.shown.set;
  const CameraGroups::Place place = context.task.session.groups().places[camera];
  if (place.group >= set.groups.size() || !set.groups[place.group]) return std::nullopt;
  if (!set.stampOf(place)) return std::nullopt;
  return set.groups[place.group]->layer(place.layer);
}

std::optional<PaintedImage> imageOf(const Context& context, size_t camera, const View& view,
                                    Scene& scene) {
  const CameraGroups::Place place = context.task.session.groups().places[camera];
  if (place.group >= context.shown.planes.size()) return std::nullopt;
  const auto& planes = context.shown.planes[place.group];
  if (!planes) return std::nullopt;
  const auto [plane, shows] = choosePlane(*planes, context.shows);
  if (!plane) return std::nullopt;
  const auto full = static_cast<float>((1U << plane->format.bits) - 1);
  PaintedImage image{.plane = plane,
                     .layer = place.layer,
                     .origin = scaled(view.origin()),
                     .zoom = view.zoom() * ImGui::GetIO().DisplayFramebufferScale.x,
                     .visible = scaled(view.visible()),
                     .black = context.black * full,
                     .white = context.white * full};
  if (shows == Shows::candidates) {
    image.black = 0;
    image.white = 1;
  }
  const LayerMeasurement& measured = context.shown.frame->cameras[camera].measured;
  if (shows == Shows::intensity) {
    image.intensity = true;
    image.threshold = static_cast<float>(measured.threshold);
    image.white = full;
  }
  if (std::find(scene.planes.begin(), scene.planes.end(), planes) == scene.planes.end())
    scene.planes.push_back(planes);
  return image;
}

}  // namespace glint::ui
