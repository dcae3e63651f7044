#include "ui/draw/pixel_probe.h"

#include <algorithm>

namespace glint::ui {
namespace {

/// Returns the number of bits before the pixel in its row.
uint32_t bitsBefore(const PixelProbe& probe) {
  return probe.x * probe.plane->format.channels * probe.plane->format.bits;
}

}  // namespace

ProbeRange rangeOf(const PixelProbe& probe) {
  const shared::PlaneShape& shape = probe.plane->shape;
  const size_t word = size_t{probe.layer} * shape.layerStride + size_t{probe.y} * shape.pitch +
                      bitsBefore(probe) / 32;
  const size_t offset = 4 * word, whole = probe.plane->buffer->size();
  return offset >= whole ? ProbeRange{} : ProbeRange{offset, std::min<size_t>(12, whole - offset)};
}

PixelValue valueOf(const PixelProbe& probe, const std::array<uint32_t, 3>& words) {
  const gpu::ImageFormat& format = probe.plane->format;
  PixelValue pixel{.channels = std::min(3U, format.channels)};
  for (uint32_t c = 0; c < pixel.channels; ++c) {
    // No value lies across two words.
    const uint32_t bit = bitsBefore(probe) % 32 + c * format.bits;
    const uint32_t mask = format.bits >= 32 ? UINT32_MAX : (1U << format.bits) - 1;
    pixel.value[c] = words[bit / 32] >> bit % 32 & mask;
  }
  return pixel;
}

}  // namespace glint::ui
