#include "app/study/boards/grey_pixels.h"

namespace glint::study {

std::vector<uint8_t> greyPixels(const gpu::ImageView& image) {
  const gpu::ImageFormat& format = image.format;
  const size_t bytes = format.bits / 8, pixel = format.bytesPerPixel();
  const auto top = [&](const std::byte* at) {  // the high byte of a channel
    return std::to_integer<unsigned>(at[bytes - 1]);
  };
  std::vector<uint8_t> grey(format.pixels());
  for (uint32_t y = 0; y < format.height; ++y)
    for (uint32_t x = 0; x < format.width; ++x) {
      const std::byte* const at = image.row(y) + x * pixel;
      const unsigned value =
          format.channels == 1
              ? top(at)
              : (19 * top(at) + 183 * top(at + bytes) + 54 * top(at + 2 * bytes) + 128) >> 8;
      grey[size_t{y} * format.width + x] = static_cast<uint8_t>(value);
    }
  return grey;
}

}  // namespace glint::study
