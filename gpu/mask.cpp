#include "gpu/mask.h"

#include <algorithm>

namespace glint {

size_t LayerMask::measured() const {
  return pixels.size() - static_cast<size_t>(std::count(pixels.begin(), pixels.end(), 0));
}

std::vector<uint32_t> packMasks(const std::vector<LayerMask>& masks, uint32_t width,
                                uint32_t height) {
  const uint32_t pitch = maskPitch(width);
  std::vector<uint32_t> words(size_t{pitch} * height * masks.size(), 0);
  for (size_t layer = 0; layer < masks.size(); ++layer) {
    const LayerMask& mask = masks[layer];
    for (uint32_t y = 0; y < height; ++y) {
      uint32_t* row = words.data() + (layer * height + y) * pitch;
      for (uint32_t x = 0; x < width; ++x) {
        if (mask.empty() || mask.pixels[size_t{y} * width + x] != 0) row[x / 32] |= 1U << (x % 32);
      }
    }
  }
  return words;
}

}  // namespace glint
