// Drawing where the device is the host's own processor. There every pixel costs, and most of a
// window stays as it is while a recording plays: only what has changed is drawn, and the host
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

/// The parts of a picture that are left to be drawn on the device.
struct PictureChange {
  std::vector<Rect> parts;  ///< whole px, none over another
  bool over = false;        ///< over what the picture holds; else it holds nothing
  size_t painted = 0;       ///< so many of the scene's images are there already
};

/// On other devices all of each picture is left. One picture at a time: begin() may be called when
/// the picture before has been drawn. One thread.
class HostDrawing {
 public:
  /// `format`: of pictures.
  HostDrawing(const gpu::Device& device, vk::Format format);

  /// Before the render pass of a picture: compares the scene and `data` with what the picture
  /// holds, leaves of `data` what has changed, and paints the first of the images there. Waits
  /// until their planes are complete.
  PictureChange begin(const vk::raii::CommandBuffer& commands, const Scene& scene,
                      const ImagePainter& painter, ImDrawData& data, const Swapchain& swapchain,
                      const Swapchain::Picture& picture);

 private:
  struct Place {
    Rect rect;
    size_t first;  // pixel of the buffer
  };
  size_t paint(const Scene& scene, const ImagePainter& painter, const std::vector<Rect>& parts,
               std::vector<Place>& places);
  size_t paintInto(const Swapchain::Picture& picture, const vk::raii::CommandBuffer& commands,
                   const Scene& scene, const ImagePainter& painter, const std::vector<Rect>& parts);

  const gpu::Device& device_;
  HostPainter painter_;
  std::unique_ptr<gpu::Buffer> pixels_;  // as many as a picture has
};

}  // namespace glint::ui
