// What a picture of the window holds beside what ImGui draws.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "ui/draw/image_painter.h"
#include "ui/draw/pixel_probe.h"

namespace glint::ui {

/// What is drawn, apart from ImGui's own.
struct Scene {
  std::vector<PaintedImage> images;  ///< beneath all that is ImGui's
  std::deque<PaintedImage> insets;   ///< see addInset()
  /// That the images belong to, a group of cameras each: their work is waited for on the device.
  std::vector<std::shared_ptr<const PlaneImages>> planes;
  std::optional<PixelProbe> probe;  ///< a pixel whose value is asked for, of `planes`
  Rect background;                  ///< px of the framebuffer: what lies behind the images
};

}  // namespace glint::ui
