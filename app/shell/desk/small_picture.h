// A frame as a small grey picture beside words.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/frame.h"

namespace glint::shell {

/// A grey picture of an image, reduced in size.
struct SmallPicture {
  uint32_t width = 0, height = 0;  ///< px
  uint32_t block = 1;              ///< px of the image along each side of a pixel of this picture
  /// Means of blocks of the image: the upper 8 bits of the bits that the brightest one needs.
  std::vector<uint8_t> grey;
  /// Format of the image from which it was made.
  gpu::ImageFormat image;
};

/// Makes a picture of at most this size, px. Colours are weighted 1 : 2 : 1.
SmallPicture smallPicture(const gpu::ImageView& image, uint32_t mostWidth, uint32_t mostHeight);

}  // namespace glint::shell
