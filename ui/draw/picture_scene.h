// The images of a picture of the window, which ImGui does not draw.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "ui/draw/image_painter.h"
#include "ui/draw/pixel_probe.h"

struct ImDrawList;

namespace glint::ui {

/// The images of one picture, and what the device is asked about them.
struct Scene {
  std::vector<PaintedImage> images;  ///< beneath all that is ImGui's
  std::deque<PaintedImage> insets;   ///< see addInset()
  /// The planes that the images belong to, a group of cameras each. The device waits until they are
  /// complete.
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes;
  std::optional<PixelProbe> probe;  ///< a pixel whose value is asked for, of `planes`
  Rect background;                  ///< px of the framebuffer: what lies behind the images
};

/// Adds an image among what ImGui draws into `list`, at this place of its order. `scene` must live,
/// and stay where it is, until it is drawn.
void addInset(ImDrawList& list, Scene& scene, const PaintedImage& image);

/// Begins a part of `list` that changes apart from what it has drawn before: where only changes are
/// drawn, that is not drawn again.
void beginPart(ImDrawList& list);

}  // namespace glint::ui
