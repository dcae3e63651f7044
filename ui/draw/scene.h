// The plane of a frame that is drawn, and how it is drawn.
#pragma once

#include "ui/draw/picture_scene.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// Returns how one camera is drawn in one place, and adds its planes to `scene`. Empty if its
/// planes do not exist.
std::optional<PaintedImage> imageOf(const WindowModel& model, const ViewState& viewState,
                                    size_t camera, const View& view, Scene& scene);

/// The plane that is drawn for a camera: the chosen one, or another one until that exists.
struct PlaneShown {
  std::shared_ptr<const gpu::PlaneImages> planes;
  const gpu::PlaneImage* image;
  DisplayPlane plane;
};
std::optional<PlaneShown> planeShown(const WindowModel& model, const ViewState& viewState,
                                     size_t camera);

/// Converts px of the window to px of the framebuffer.
Rect toFramebuffer(const Rect& r);

}  // namespace glint::ui
