// Holds the small functions with which the references of filters are written.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/filters/references.h"

namespace glint::reference {

using Input = FilterInput;
using Parameters = FilterParameters;

inline int64_t rnd(double a) {
  return static_cast<int64_t>(std::floor(a + 0.5));
}
inline int64_t full(const Image& image) {
  return image.format.fullScale();
}
/// Returns a / b, rounded to the nearest integer. Halves are rounded up.
inline int64_t divided(int64_t a, int64_t b) {
  return (a + b / 2) / b;
}

enum class Border { replicate, mirror };

inline int64_t mirrored(int64_t i, int64_t n) {
  while (n > 1 && (i < 0 || i >= n)) i = i < 0 ? -i : 2 * (n - 1) - i;
  return n == 1 ? 0 : i;
}

inline int64_t at(const Image& image, int64_t x, int64_t y, uint32_t c,
                  Border border = Border::replicate) {
  const int64_t w = image.format.width, h = image.format.height;
  const bool mirror = border == Border::mirror;
  x = mirror ? mirrored(x, w) : std::clamp<int64_t>(x, 0, w - 1);
  y = mirror ? mirrored(y, h) : std::clamp<int64_t>(y, 0, h - 1);
  return image.values[static_cast<size_t>((y * w + x) * image.format.channels + c)];
}

/// Returns an image of the same size whose values are pixel(x, y, channel), clamped to the range of
/// the format. `channels` is the number of channels, or 0 for that of `like`.
template <class Pixel>
Image made(const Image& like, Pixel pixel, uint32_t channels = 0) {
  Image image{like.format, {}};
  if (channels != 0) image.format.channels = channels;
  for (int64_t y = 0; y < like.format.height; ++y)
    for (int64_t x = 0; x < like.format.width; ++x)
      for (uint32_t c = 0; c < image.format.channels; ++c)
        image.values.push_back(
            static_cast<uint16_t>(std::clamp<int64_t>(pixel(x, y, c), 0, full(like))));
  return image;
}

}  // namespace glint::reference
