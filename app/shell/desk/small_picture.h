// A frame as a small grey picture, to be shown beside words.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/frame.h"

namespace glint::shell {

struct SmallPicture {
  uint32_t width = 0, height = 0;  ///< px
  uint32_t block = 1;              ///< px of the image along each side of one of its own
  std::vector<uint8_t> grey;  ///< means of blocks of the image: the 8 upper bits of the brightest
  gpu::ImageFormat image;     ///< that it was made of
};

/// At most so large, px. Colours are weighted 1 : 2 : 1.
SmallPicture smallPicture(const gpu::ImageView& image, uint32_t mostWidth, uint32_t mostHeight);

}  // namespace glint::shell
