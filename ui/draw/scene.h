// Which plane of the frame is drawn, and how.
#pragma once

#include "ui/draw/picture_scene.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// Returns how one camera is drawn in one place, and notes its planes in `scene`. Empty where its
/// planes are not there.
std::optional<PaintedImage> imageOf(const WindowModel& model, const ViewState& looks, size_t camera,
                                    const View& view, Scene& scene);

/// The plane that is drawn of a camera: the one that is chosen, or another one until that is there.
struct PlaneShown {
  std::shared_ptr<const gpu::PlaneImages> planes;
  const gpu::PlaneImage* image;
  DisplayPlane plane;
};
std::optional<PlaneShown> planeShown(const WindowModel& model, const ViewState& looks,
                                     size_t camera);

/// px of the framebuffer from px of the window.
Rect toFramebuffer(const Rect& r);

}  // namespace glint::ui
