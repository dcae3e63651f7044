#include "app/capture/source/bits_used.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace glint::capture {

uint32_t UsedValues::bits() const {
  return static_cast<uint32_t>(std::bit_width(high));
}

UsedValues usedValues(const gpu::ImageView& image) {
  UsedValues used{.low = image.format.fullScale(), .high = 0};
  const size_t count = size_t{image.format.width} * image.format.channels;
  for (uint32_t y = 0; y < image.format.height; ++y) {
    const std::byte* row = image.row(y);
    for (size_t i = 0; i < count; ++i) {
      uint32_t value = 0;
      if (image.format.bits == 8) {
        value = std::to_integer<uint32_t>(row[i]);
      } else {
        uint16_t wide = 0;
        std::memcpy(&wide, row + 2 * i, 2);
        value = wide;
      }
      used.low = std::min(used.low, value);
      used.high = std::max(used.high, value);
    }
  }
  return used;
}

}  // namespace glint::capture
