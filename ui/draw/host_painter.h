// Paints planes of frames on the host. If the device is the host's own processor, this takes a
// fraction of the time that drawing through Vulkan does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ui/draw/image_painter.h"

namespace glint::ui {

/// A painter of one image after another. One thread.
class HostPainter {
 public:
  /// The bytes of a pixel are red, green, blue, 255 if `redFirst`, otherwise blue, green, red, 255.
  explicit HostPainter(bool redFirst) : redFirst_(redFirst) {}

  /// Returns true if an image can be painted here: the host sees its plane, which has 8 or 16 bits
  /// a channel and is not warped. Planes of three channels must be shown in their own colours.
  static bool paints(const PaintedImage& image);

  /// Paints the pixels that ImagePainter draws of `image` with `samples` along each axis; each byte
  /// may differ by 1. `part` is in whole px of the framebuffer, within image.visible. Its rows
  /// follow each other in `to`, which must have room for them. The plane must be complete.
  void paint(const PaintedImage& image, uint32_t samples, const Rect& part, std::span<uint32_t> to);

 private:
  /// The properties of an image from which `colours_` follow.
  struct ColourScale {
    uint32_t bits = 0, channels = 0, samples = 0;
    float black = 0, white = 0, threshold = 0;
    bool intensity = false;
    bool operator==(const ColourScale&) const = default;
  };
  void fillColours(const ColourScale& scale);
  uint32_t colourOf(float value) const;
  template <class T>
  void paintRows(const PaintedImage& image, const Rect& part, std::span<uint32_t> to);

  bool redFirst_;
  ColourScale scale_;
  /// The colour for each sum of a pixel's samples; with three channels, the byte of one channel.
  std::vector<uint32_t> colours_;
  std::vector<uint32_t> columns_, rows_;  // px of the image, for each sample along an axis
};

}  // namespace glint::ui
