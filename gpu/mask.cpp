#include "gpu/mask.h"

#include <algorithm>
#include <utility>

namespace glint::gpu {

size_t LayerMask::measured() const {
  return pixels.size() - static_cast<size_t>(std::count(pixels.begin(), pixels.end(), 0));
}

namespace {

void fill(std::vector<uint8_t>& pixels, uint32_t width, const PixelRect& r, uint8_t value) {
  for (size_t y = r.y; y < size_t{r.y} + r.height; ++y)
    std::fill_n(pixels.begin() + static_cast<std::ptrdiff_t>(y * width + r.x), r.width, value);
}

}  // namespace

LayerMask limitTo(LayerMask mask, uint32_t width, uint32_t height,
                  std::span<const PixelRect> regions, std::span<const PixelRect> ignored) {
  std::vector<uint8_t> wanted(size_t{width} * height, regions.empty() ? 1 : 0);
  for (const PixelRect& region : regions) fill(wanted, width, region, 1);
  for (const PixelRect& region : ignored) fill(wanted, width, region, 0);
  for (size_t i = 0; i < mask.pixels.size(); ++i)
    if (mask.pixels[i] == 0) wanted[i] = 0;
  return {width, height, std::move(wanted)};
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

}  // namespace glint::gpu
