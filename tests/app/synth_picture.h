// Provides images and their moments for the tests of synthetic images.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/frame.h"

namespace glint {

// An image that owns its memory.
struct Picture {
  explicit Picture(const gpu::ImageFormat& f) : format(f), bytes(f.pixels() * f.bytesPerPixel()) {}
  gpu::ImageView view() {
    return {format, bytes.data(), size_t{format.width} * format.bytesPerPixel()};
  }
  double at(size_t x, size_t y) const {
    const std::byte* p = bytes.data() + (y * format.width + x) * format.bytesPerPixel();
    return format.bits == 8 ? *reinterpret_cast<const uint8_t*>(p)
                            : *reinterpret_cast<const uint16_t*>(p);
  }
  gpu::ImageFormat format;
  std::vector<std::byte> bytes;
};

struct Moments {
  double sum = 0, x = 0, y = 0;  // The centroid, px.
};

template <class At>
Moments moments(size_t x0, size_t x1, size_t y0, size_t y1, At at) {
  Moments m;
  for (size_t y = y0; y <= y1; ++y)
    for (size_t x = x0; x <= x1; ++x) {
      const double value = at(x, y);
      m.sum += value;
      m.x += value * static_cast<double>(x);
      m.y += value * static_cast<double>(y);
    }
  m.x /= m.sum;
  m.y /= m.sum;
  return m;
}

}  // namespace glint
