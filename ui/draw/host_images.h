// The images of a picture, painted by the host and copied to where the screen has them from.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/device.h"
#include "ui/draw/host_painter.h"
#include "ui/draw/picture_scene.h"

namespace glint::ui {

/// One picture at a time: record() may be called when the picture before has been drawn.
class HostImages {
 public:
  /// `format`: of pictures.
  HostImages(const Device& device, vk::Format format);

  /// Paints what the first images have in `parts`, and records copies of it into `picture`, which
  /// is in layout present source and stays so; before the render pass that draws over it. Waits
  /// until their planes are complete. How many images that are: another one must be drawn, and so
  /// must those that follow it.
  size_t record(const vk::raii::CommandBuffer& commands, const Scene& scene,
                const ImagePainter& painter, const std::vector<Rect>& parts, vk::Image picture,
                vk::Extent2D size);

 private:
  struct Place {
    Rect rect;
    size_t first;  // pixel of the buffer
  };
  size_t paint(const Scene& scene, const ImagePainter& painter, const std::vector<Rect>& parts,
               std::vector<Place>& places);

  const Device& device_;
  HostPainter painter_;
  std::unique_ptr<Buffer> pixels_;  // as many as a picture has
};

}  // namespace glint::ui
