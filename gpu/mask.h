// Which pixels of a session's cameras are measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glint::gpu {

/// One byte a pixel, row after row: not 0 = measured, 0 = ignored. Of no size: all pixels are
/// measured.
struct LayerMask {
  uint32_t width = 0, height = 0;  ///< px
  std::vector<uint8_t> pixels;     ///< width * height of them

  bool empty() const { return pixels.empty(); }
  size_t measured() const;  ///< pixels that are not ignored
};

/// A rectangle of pixels, from the top left one.
struct PixelRect {
  uint32_t x = 0, y = 0, width = 0, height = 0;  ///< px
};

/// What `mask` measures (empty: all of width x height) within any of `regions`, or everywhere if
/// there are none, and outside of all that is `ignored`. All must lie within the picture.
LayerMask limitTo(LayerMask mask, uint32_t width, uint32_t height,
                  std::span<const PixelRect> regions, std::span<const PixelRect> ignored);

/// The masks of all layers, each empty or width x height, as the kernels take them: one bit a pixel
/// (bit x % 32 of word x / 32), rows padded to whole words, layers one after another.
std::vector<uint32_t> packMasks(const std::vector<LayerMask>& masks, uint32_t width,
                                uint32_t height);

/// Words of one row of packMasks().
inline uint32_t maskPitch(uint32_t width) {
  return (width + 31) / 32;
}

}  // namespace glint::gpu
