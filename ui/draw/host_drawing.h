// Drawing if the device is the host's own processor. Every pixel costs time there, and most of a
// window stays the same while a recording plays. So only what has changed is drawn, and the host
// paints images itself, which takes a fraction of the time.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/device.h"
#include "ui/draw/host_painter.h"
#include "ui/draw/picture_scene.h"
#include "ui/draw/swapchain.h"

struct ImDrawData;

namespace glint::ui {

/// The work that is left for the device in a picture.
struct PictureChange {
  /// Areas to be drawn, whole px, without overlap.
  std::vector<Rect> parts;
  /// True if they are drawn over the picture's content; otherwise the picture has no content yet.
  bool over = false;
  size_t painted = 0;  ///< the number of the scene's first images that are painted already
};

/// The part of the drawing that the host does. It reduces the work of each picture if the device is
/// the host's own processor, and leaves everything to other devices. One picture at a time: call
/// begin() when the previous picture has been drawn. One thread.
class HostDrawing {
 public:
  /// `format` is that of the pictures.
  HostDrawing(const gpu::Device& device, vk::Format format);

  /// Compares the scene and `data` with the content of the picture. Leaves in `data` only what has
  /// changed, and paints the first of the changed images. Waits until their planes are complete.
  /// Call it before the render pass of the picture.
  PictureChange begin(const vk::raii::CommandBuffer& commands, const Scene& scene,
                      const ImagePainter& painter, ImDrawData& data, const Swapchain& swapchain,
                      const Swapchain::Picture& picture);

 private:
  /// A painted area, and the place of its pixels.
  struct Place {
    Rect rect;
    size_t first;  // index in the buffer of pixels
  };
  size_t paint(const Scene& scene, const ImagePainter& painter, const std::vector<Rect>& parts,
               std::vector<Place>& places);
  size_t paintInto(const Swapchain::Picture& picture, const vk::raii::CommandBuffer& commands,
                   const Scene& scene, const ImagePainter& painter, const std::vector<Rect>& parts);

  const gpu::Device& device_;
  HostPainter painter_;
  std::unique_ptr<gpu::Buffer> pixels_;  // as many pixels as a picture has
};

}  // namespace glint::ui
