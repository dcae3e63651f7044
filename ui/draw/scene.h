// Which plane of the frame is drawn, and how.
#pragma once

#include "ui/draw/renderer.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// What is drawn of one camera in one place, its planes noted in `scene`. Empty where its planes
/// are not there.
std::optional<PaintedImage> imageOf(const WindowModel& model, const ViewState& looks, size_t camera,
                                    const View& view, Scene& scene);

/// What is drawn of a camera: the plane that is chosen, or, until that is there, what there is.
struct PlaneShown {
  std::shared_ptr<const PlaneImages> planes;
  const PlaneImage* image;
  DisplayPlane plane;
};
std::optional<PlaneShown> planeShown(const WindowModel& model, const ViewState& looks,
                                     size_t camera);

/// px of the framebuffer from px of the window.
Rect toFramebuffer(const Rect& r);

}  // namespace glint::ui
