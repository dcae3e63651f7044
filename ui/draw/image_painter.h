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

/// One layer of a plane, and how it is drawn.
struct PaintedImage {
  const gpu::PlaneImage* plane = nullptr;
  uint32_t layer = 0;
  /// The image's upper left corner, px of the framebuffer.
  Point origin;
  double zoom = 1;  ///< px of the framebuffer for each pixel
  /// The area of the framebuffer that the image covers.
  Rect visible;
  /// The count that is drawn black.
  float black = 0;
  float white = 255;
  /// True if the image is drawn in false colours around `threshold`, and false if it is drawn in
  /// grey or in its own colours.
  bool intensity = false;
  float threshold = 0;  ///< counts
  /// The matrix, row by row, for an image that is seen askew. It takes (x, y, 1) of the framebuffer
  /// to (x w, y w, w) of the image, both in px from the upper left corner. It replaces `origin`;
  /// `zoom` is only about right then.
  std::optional<std::array<float, 9>> warp = {};

  /// Returns true if the image covers all of `visible`.
  bool covers() const { return plane->buffer && !warp; }
};

/// A painter of the images of one picture after another. One picture in flight: call begin() when
/// the previous one has been drawn.
class ImagePainter {
 public:
  ImagePainter(const gpu::Device& device, vk::RenderPass renderPass);

  /// Forgets the buffers of the previous picture.
  void begin();
  /// Returns how many samples of the image are taken along each axis for a px of the framebuffer.
  /// On a CPU these are more than one only if more than two pixels of the image share a px.
  uint32_t samples(double zoom) const;
  /// Draws an image. Call it within the render pass. Throws Error if the images of a picture come
  /// from more than 256 buffers.
  void paint(const vk::raii::CommandBuffer& commands, const PaintedImage& image,
             vk::Extent2D framebuffer);

 private:
  /// The properties of an image that need a pipeline of their own.
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
  bool slow_;  // true if the device is a CPU
  vk::raii::ShaderModule vertex_, fragment_;
  vk::raii::DescriptorSetLayout setLayout_;
  vk::raii::PipelineLayout layout_;
  vk::raii::DescriptorPool pool_;
  // Descriptor sets of this picture, by the number of their buffer.
  std::map<uint64_t, vk::DescriptorSet> sets_;
  std::map<Key, vk::raii::Pipeline> pipelines_;
};

}  // namespace glint::ui
