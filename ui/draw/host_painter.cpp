#include "ui/draw/host_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/draw/false_colour.h"

namespace glint::ui {
namespace {

uint32_t byteOf(float share) {
  // Rounds as devices do.
  return static_cast<uint32_t>(std::lrint(std::clamp(share, 0.0F, 1.0F) * 255));
}

/// Finds the pixels, of `size` along an axis of the image, that `count` px of the framebuffer show,
/// with `samples` in each px. The first px is `first`, and the image begins at `origin`. `step` is
/// the number of pixels in a px.
void place(std::vector<uint32_t>& places, float first, float count, uint32_t samples, float origin,
           float step, uint32_t size) {
  const auto pixels = static_cast<uint32_t>(count);
  const auto along = static_cast<float>(samples);
  places.resize(size_t{pixels} * samples);
  for (uint32_t i = 0; i < pixels; ++i) {
    const float corner = (first + static_cast<float>(i) - origin + 0.5F / along) * step;
    for (uint32_t s = 0; s < samples; ++s) {
      const float at = corner + step / along * static_cast<float>(s);
      places[size_t{i} * samples + s] =
          static_cast<uint32_t>(std::clamp(at, 0.0F, static_cast<float>(size) - 1));
    }
  }
}

}  // namespace

bool HostPainter::paints(const PaintedImage& image) {
  const gpu::PlaneImage& plane = *image.plane;
  if (!plane.buffer || plane.buffer->mapped().empty() || image.warp) return false;
  return plane.format.bits > 1 && (plane.format.channels == 1 || !image.intensity);
}

/// Returns the colour of a value. With three channels, returns the byte of one channel.
uint32_t HostPainter::colourOf(float value) const {
  const float gain = 1 / std::max(scale_.white - scale_.black, 1e-3F);
  const uint32_t grey = byteOf((value - scale_.black) * gain);
  if (scale_.channels == 3) return grey;
  if (!scale_.intensity) return 0xff000000U | grey << 16 | grey << 8 | grey;
  auto [red, green, blue] = falseColour(value, scale_.threshold, scale_.white, 1);
  if (redFirst_) std::swap(red, blue);
  return 0xff000000U | byteOf(red) << 16 | byteOf(green) << 8 | byteOf(blue);
}

void HostPainter::fillColours(const ColourScale& scale) {
  if (scale == scale_) return;
  scale_ = scale;
  const uint32_t samples = scale.samples * scale.samples;
  colours_.resize(size_t{(1U << scale.bits) - 1} * samples + 1);
  for (size_t sum = 0; sum < colours_.size(); ++sum)
    colours_[sum] = colourOf(static_cast<float>(sum) / static_cast<float>(samples));
}

template <class T>
void HostPainter::paintRows(const PaintedImage& image, const Rect& part, std::span<uint32_t> to) {
  const shared::PlaneShape& shape = image.plane->shape;
  const uint32_t channels = scale_.channels, samples = scale_.samples;
  const auto width = static_cast<size_t>(part.width), height = static_cast<size_t>(part.height);
  const auto rowOf = [&](uint32_t row) {
    const size_t word = size_t{image.layer} * shape.layerStride + size_t{row} * shape.pitch;
    return reinterpret_cast<const T*>(image.plane->buffer->mapped().data() + 4 * word);
  };
  const unsigned blue = redFirst_ ? 16 : 0, red = redFirst_ ? 0 : 16;
  for (size_t y = 0; y < height; ++y) {
    const std::span<const uint32_t> rows = std::span(rows_).subspan(y * samples, samples);
    uint32_t* const row = to.data() + y * width;
    if (samples == 1 && channels == 1) {
      const T* const from = rowOf(rows[0]);
      for (size_t x = 0; x < width; ++x) row[x] = colours_[from[columns_[x]]];
      continue;
    }
    if (samples == 1) {
      const T* const from = rowOf(rows[0]);
      for (size_t x = 0; x < width; ++x) {
        const T* const pixel = from + size_t{columns_[x]} * 3;
        row[x] = 0xff000000U | colours_[pixel[0]] << blue | colours_[pixel[1]] << 8 |
                 colours_[pixel[2]] << red;
      }
      continue;
    }
    for (size_t x = 0; x < width; ++x) {
      std::array<uint32_t, 3> sums{};
      for (const uint32_t line : rows) {
        for (uint32_t s = 0; s < samples; ++s) {
          const T* const pixel = rowOf(line) + size_t{columns_[x * samples + s]} * channels;
          for (uint32_t c = 0; c < channels; ++c) sums[c] += pixel[c];
        }
      }
      row[x] = channels == 1 ? colours_[sums[0]]
                             : 0xff000000U | colours_[sums[0]] << blue | colours_[sums[1]] << 8 |
                                   colours_[sums[2]] << red;
    }
  }
}

void HostPainter::paint(const PaintedImage& image, uint32_t samples, const Rect& part,
                        std::span<uint32_t> to) {
  const gpu::ImageFormat& format = image.plane->format;
  fillColours({format.bits, format.channels, samples, image.black, image.white, image.threshold,
               image.intensity});
  const auto step = static_cast<float>(1 / image.zoom);
  place(columns_, part.x, part.width, samples, image.origin.x, step, format.width);
  place(rows_, part.y, part.height, samples, image.origin.y, step, format.height);
  if (format.bits == 8)
    paintRows<uint8_t>(image, part, to);
  else
    paintRows<uint16_t>(image, part, to);
}

}  // namespace glint::ui
