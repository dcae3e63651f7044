// Draws planes of frames straight from their storage buffers.
#pragma once

#include <array>
#include <compare>
#include <map>
#include <optional>

#include "gpu/device.h"
#include "gpu/plane_images.h"
#include "ui/model/view.h"

namespace glint::ui {

/// How one layer of a plane is drawn.
struct PaintedImage {
  const gpu::PlaneImage* plane = nullptr;
  uint32_t layer = 0;
  Point origin;     ///< of the image's upper left corner, px of the framebuffer
  double zoom = 1;  ///< px of the framebuffer a pixel
  Rect visible;     ///< what of the framebuffer it covers
  float black = 0;  ///< counts
  float white = 255;
  bool intensity = false;  ///< false colours about `threshold` instead
  float threshold = 0;     ///< counts
  /// Seen askew: (x, y, 1) of the framebuffer to (x w, y w, w) of the image, px from the upper left
  /// corners of both, row by row; instead of `origin`, while `zoom` is about what it is.
  std::optional<std::array<float, 9>> warp = {};

  /// All of `visible`.
  bool covers() const { return plane->buffer && !warp; }
};

/// One frame in flight: begin() may be called when the frame before has been drawn.
class ImagePainter {
 public:
  ImagePainter(const gpu::Device& device, vk::RenderPass renderPass);

  void begin();
  /// Of the image, along each axis, for a px of the framebuffer: on a CPU more than one only where
  /// more than two pixels share it.
  uint32_t samples(double zoom) const;
  /// Within the render pass. Throws Error where a frame's images are of more than 256 buffers.
  void paint(const vk::raii::CommandBuffer& commands, const PaintedImage& image,
             vk::Extent2D framebuffer);

 private:
  struct Key {
    uint32_t bits, channels;
    bool intensity;
    uint32_t samples;
    bool warped;
    auto operator<=>(const Key&) const = default;
  };
  vk::Pipeline pipeline(const Key& key);
  vk::DescriptorSet setOf(const gpu::Buffer& buffer);

  const gpu::Device& device_;
  vk::RenderPass renderPass_;
  bool slow_;
  vk::raii::ShaderModule vertex_, fragment_;
  vk::raii::DescriptorSetLayout setLayout_;
  vk::raii::PipelineLayout layout_;
  vk::raii::DescriptorPool pool_;
  std::map<uint64_t, vk::DescriptorSet> sets_;  // this frame's, by the number of the buffer
  std::map<Key, vk::raii::Pipeline> pipelines_;
};

}  // namespace glint::ui
