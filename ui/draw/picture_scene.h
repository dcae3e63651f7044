// The images in a picture of the window. ImGui does not draw them.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "ui/draw/image_painter.h"
#include "ui/draw/pixel_probe.h"

struct ImDrawList;

namespace glint::ui {

/// The images of one picture, and the pixel whose value is read from the device.
struct Scene {
  std::vector<PaintedImage> images;  ///< drawn below all that ImGui draws
  std::deque<PaintedImage> insets;   ///< see addInset()
  /// The planes that the images belong to, one for each group of cameras. The device waits until
  /// they are complete.
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes;
  std::optional<PixelProbe> probe;  ///< the pixel of `planes` whose value is read
  /// The area behind the images, px of the framebuffer.
  Rect background;
};

/// Adds an image to `list`, on top of what the list holds already. `scene` must live, and stay
/// where it is, until it is drawn.
void addInset(ImDrawList& list, Scene& scene, const PaintedImage& image);

/// Begins a part of `list` that changes independently of what was drawn into it before. If only
/// changes are drawn, the earlier part is not drawn again.
void beginPart(ImDrawList& list);

}  // namespace glint::ui
