// Masks that select the pixels which are measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glint::gpu {

/// The mask of one layer with one byte per pixel, row by row. Pixels with the value 0 are ignored,
/// and all others are measured. If it is empty, all pixels are measured.
struct LayerMask {
  uint32_t width = 0, height = 0;  ///< px
  std::vector<uint8_t> pixels;     ///< width * height values, or none

  bool empty() const { return pixels.empty(); }
  size_t measured() const;  ///< number of pixels that are not ignored
};

/// A rectangle of pixels. (x, y) is its upper left pixel.
struct PixelRect {
  uint32_t x = 0, y = 0, width = 0, height = 0;  ///< px
};

/// Returns a mask of width x height px that measures only pixels which `mask` measures, which lie
/// in any of `regions` (or anywhere if there are none), and which lie in none of `ignored`. All
/// rectangles must lie within the picture.
LayerMask limitTo(LayerMask mask, uint32_t width, uint32_t height,
                  std::span<const PixelRect> regions, std::span<const PixelRect> ignored);

/// Packs the masks of all layers, each empty or width x height px, for the kernels: one bit per
/// pixel (bit x % 32 of word x / 32), rows padded to whole words, layers one after another.
std::vector<uint32_t> packMasks(const std::vector<LayerMask>& masks, uint32_t width,
                                uint32_t height);

/// Returns the number of words of a row of packMasks().
inline uint32_t maskPitch(uint32_t width) {
  return (width + 31) / 32;
}

}  // namespace glint::gpu
