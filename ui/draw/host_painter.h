// Paints planes of frames on the host. Where the device is the host's own processor, that takes a
// fraction of the time that drawing them through Vulkan does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ui/draw/image_painter.h"

namespace glint::ui {

/// One thread.
class HostPainter {
 public:
  /// `redFirst`: the order of bytes in a pixel is red, green, blue, 255; else blue comes first.
  explicit HostPainter(bool redFirst) : redFirst_(redFirst) {}

  /// Whether the host sees the image's plane, of 8 or 16 bits a channel, in its own colours and not
  /// askew.
  static bool paints(const PaintedImage& image);

  /// What ImagePainter draws of `image` with `samples` along each axis, each byte up to 1 off:
  /// `part` (whole px of the framebuffer, within image.visible) row by row into `to`, which has
  /// room for it. The plane must be complete.
  void paint(const PaintedImage& image, uint32_t samples, const Rect& part, std::span<uint32_t> to);

 private:
  struct Look {
    uint32_t bits = 0, channels = 0, samples = 0;
    float black = 0, white = 0, threshold = 0;
    bool intensity = false;
    bool operator==(const Look&) const = default;
  };
  void choose(const Look& look);
  uint32_t colourOf(float value) const;
  template <class T>
  void paintRows(const PaintedImage& image, const Rect& part, std::span<uint32_t> to);

  bool redFirst_;
  Look look_;
  /// For each sum of a pixel's samples: the colour, or of three channels the byte of one.
  std::vector<uint32_t> colours_;
  std::vector<uint32_t> columns_, rows_;  // of the image, for each sample along an axis
};

}  // namespace glint::ui
