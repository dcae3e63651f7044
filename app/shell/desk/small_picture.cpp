#include "app/shell/desk/small_picture.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace glint::shell {
namespace {

/// Returns the grey value of a pixel, with as many bits as the image has.
uint32_t greyOf(const gpu::ImageFormat& format, const std::byte* pixel) {
  const auto value = [&](uint32_t channel) -> uint32_t {
    if (format.bits == 8) return std::to_integer<uint32_t>(pixel[channel]);
    uint16_t wide = 0;
    std::memcpy(&wide, pixel + 2 * size_t{channel}, sizeof wide);
    return wide;
  };
  return format.channels == 1 ? value(0) : (value(0) + 2 * value(1) + value(2)) / 4;
}

}  // namespace

SmallPicture smallPicture(const gpu::ImageView& image, uint32_t mostWidth, uint32_t mostHeight) {
  const gpu::ImageFormat& format = image.format;
  const uint32_t block = std::max({1U, (format.width + mostWidth - 1) / mostWidth,
                                   (format.height + mostHeight - 1) / mostHeight});
  SmallPicture picture{.width = std::max(1U, format.width / block),
                       .height = std::max(1U, format.height / block),
                       .block = block,
                       .grey = {},
                       .image = format};
  std::vector<uint32_t> means;
  means.reserve(size_t{picture.width} * picture.height);
  for (uint32_t y = 0; y < picture.height; ++y) {
    for (uint32_t x = 0; x < picture.width; ++x) {
      uint64_t sum = 0;
      uint32_t count = 0;
      for (uint32_t v = y * block; v < std::min((y + 1) * block, format.height); ++v) {
        const std::byte* row = image.row(v);
        for (uint32_t u = x * block; u < std::min((x + 1) * block, format.width); ++u, ++count)
          sum += greyOf(format, row + size_t{u} * format.bytesPerPixel());
      }
      means.push_back(static_cast<uint32_t>(sum / count));
    }
  }
  const int bits = std::max(8, static_cast<int>(std::bit_width(*std::ranges::max_element(means))));
  for (const uint32_t mean : means)
    picture.grey.push_back(static_cast<uint8_t>(mean >> (bits - 8)));
  return picture;
}

}  // namespace glint::shell
