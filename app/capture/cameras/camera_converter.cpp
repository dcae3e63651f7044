#include "app/capture/cameras/camera_converter.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/capture/images/image_decoders.h"

namespace glint::capture {
namespace {

using Layout = CameraPixels::Layout;

/// Returns the bytes of a row that hold pixels.
size_t rowBytes(const CameraPixels& pixels, size_t width) {
  switch (pixels.layout) {
    case Layout::grey8:
    case Layout::bayer8:
      return width * pixels.step;
    case Layout::grey16:
    case Layout::bayer16:
      return width * 2;
    case Layout::grey10Packed:
      return (width + 3) / 4 * 5;
    case Layout::greyPacked:
      return (width + 1) / 2 * 3;
    case Layout::greyBits:
      return (width * pixels.bits + 7) / 8;
    case Layout::jpeg:
      break;
  }
  return 0;
}

/// Returns the delivered value for each stored value; empty if they are equal.
std::vector<uint16_t> makeLevels(const CameraPixels& pixels, bool limited) {
  if (!limited && (pixels.bits == 8 || pixels.bits == 16)) return {};
  const double low = limited ? 16 : 0;
  const double high = limited ? 235 : std::ldexp(1.0, static_cast<int>(pixels.bits)) - 1;
  const double full = pixels.bits == 8 ? 255 : 65535;
  std::vector<uint16_t> levels(pixels.bits == 8 ? 256 : 65536);
  for (size_t value = 0; value < levels.size(); ++value) {
    const double level = std::round((static_cast<double>(value) - low) * full / (high - low));
    levels[value] = static_cast<uint16_t>(std::clamp(level, 0.0, full));
  }
  return levels;
}

uint16_t word(const std::byte* from) {
  uint16_t value = 0;
  std::memcpy(&value, from, 2);
  return value;
}

void putWord(std::byte* to, uint16_t value) {
  std::memcpy(to, &value, 2);
}

/// Returns pixel `x` of a row in which two pixels have three bytes.
size_t packed(const std::byte* row, size_t x, uint32_t bits) {
  const std::byte* pair = row + x / 2 * 3;
  const auto high = std::to_integer<size_t>(pair[x % 2 * 2]);
  const size_t low = std::to_integer<size_t>(pair[1]) >> (x % 2 * 4) & ((1U << (bits - 8)) - 1);
  return high << (bits - 8) | low;
}

/// Returns pixel `x` of a row without gaps between the pixels' bits. A pixel has at most 16 bits,
/// so it lies within three bytes.
size_t bitsAt(const std::byte* row, size_t x, uint32_t bits) {
  const size_t first = x * bits;
  size_t value = 0;
  for (size_t i = 0; i * 8 < first % 8 + bits; ++i)
    value |= std::to_integer<size_t>(row[first / 8 + i]) << (8 * i);
  return value >> (first % 8) & ((1U << bits) - 1);
}

/// Returns index `i` or, if that is outside the image, the index of the neighbour on the other
/// side, which has the same colour in a Bayer pattern.
size_t mirrored(ptrdiff_t i, size_t size) {
  if (i < 0) return size > 1 ? 1 : 0;
  const auto at = static_cast<size_t>(i);
  return at < size ? at : (size > 1 ? size - 2 : 0);
}

}  // namespace

CameraConverter::CameraConverter(const CameraPixels& pixels, uint32_t width, uint32_t height,
                                 uint32_t pitch, bool limited, bool colour)
    : pixels_(pixels),
      format_{.width = width, .height = height, .channels = 1, .bits = pixels.bits == 8 ? 8U : 16U},
      pitch_(std::max<size_t>(pitch, rowBytes(pixels, width))),
      levels_(makeLevels(pixels, limited && pixels.yuv)) {
  if (!colour || !hasColour(pixels)) return;
  format_.channels = 3;
  colour_ = std::make_unique<ColourConverter>(pixels, pitch_, limited && pixels.yuv, levels_);
}

/// Returns true if `bytes` bytes hold all rows of the luma and the planes of colour, if there are
/// any.
bool CameraConverter::isWhole(size_t bytes) const {
  const size_t lines = size_t{format_.height} * pixels_.linesOf2 / 2;
  return bytes >= pitch_ * (lines - 1) + rowBytes(pixels_, format_.width);
}

void CameraConverter::convertRow(const std::byte* from, std::byte* to) const {
  const size_t width = format_.width;
  if (pixels_.layout == Layout::grey10Packed) {
    for (size_t x = 0; x < width; ++x) {
      const std::byte* group = from + x / 4 * 5;
      const auto high = std::to_integer<unsigned>(group[x % 4]);
      const unsigned low = std::to_integer<unsigned>(group[4]) >> (2 * (x % 4)) & 3U;
      putWord(to + 2 * x, levels_[high << 2 | low]);
    }
  } else if (pixels_.layout == Layout::greyPacked) {
    for (size_t x = 0; x < width; ++x) putWord(to + 2 * x, levels_[packed(from, x, pixels_.bits)]);
  } else if (pixels_.layout == Layout::greyBits) {
    for (size_t x = 0; x < width; ++x) putWord(to + 2 * x, levels_[bitsAt(from, x, pixels_.bits)]);
  } else if (pixels_.layout == Layout::grey16) {
    if (levels_.empty()) {
      std::memcpy(to, from, 2 * width);
      return;
    }
    for (size_t x = 0; x < width; ++x) putWord(to + 2 * x, levels_[word(from + 2 * x)]);
  } else if (pixels_.step == 1 && levels_.empty()) {
    std::memcpy(to, from, width);
  } else {
    from += pixels_.offset;
    for (size_t x = 0; x < width; ++x, from += pixels_.step) {
      to[x] =
          levels_.empty() ? *from : static_cast<std::byte>(levels_[std::to_integer<size_t>(*from)]);
    }
  }
}

template <class T>
void CameraConverter::convertBayer(std::span<const std::byte> frame,
                                   const gpu::ImageView& image) const {
  const size_t width = format_.width, height = format_.height;
  const auto pixel = [&](const std::byte* row, size_t x) -> uint32_t {
    if constexpr (sizeof(T) == 1) {
      return std::to_integer<uint32_t>(row[x]);
    } else {
      const uint16_t stored = word(row + 2 * x);
      return levels_.empty() ? stored : levels_[stored];
    }
  };
  std::vector<uint32_t> sums(width);  // for each column, the sum of three rows with weights 1 2 1
  for (size_t y = 0; y < height; ++y) {
    const auto signedY = static_cast<ptrdiff_t>(y);
    const std::byte* above = frame.data() + pitch_ * mirrored(signedY - 1, height);
    const std::byte* here = frame.data() + pitch_ * y;
    const std::byte* below = frame.data() + pitch_ * mirrored(signedY + 1, height);
    for (size_t x = 0; x < width; ++x)
      sums[x] = pixel(above, x) + 2 * pixel(here, x) + pixel(below, x);
    std::byte* to = image.row(static_cast<uint32_t>(y));
    for (size_t x = 0; x < width; ++x) {
      const auto signedX = static_cast<ptrdiff_t>(x);
      const uint32_t sum =
          sums[mirrored(signedX - 1, width)] + 2 * sums[x] + sums[mirrored(signedX + 1, width)];
      const auto level = static_cast<T>((sum + 8) / 16);
      std::memcpy(to + x * sizeof(T), &level, sizeof(T));
    }
  }
}

bool CameraConverter::convert(std::span<const std::byte> frame, const gpu::ImageView& image) {
  const bool isWhole = pixels_.layout == Layout::jpeg || this->isWhole(frame.size());
  if (colour_) return isWhole && colour_->convert(frame, image);
  if (pixels_.layout == Layout::jpeg) return decodeJpegInto(frame, image);
  if (!isWhole) return false;
  if (pixels_.layout == Layout::bayer8) {
    convertBayer<uint8_t>(frame, image);
  } else if (pixels_.layout == Layout::bayer16) {
    convertBayer<uint16_t>(frame, image);
  } else {
    for (uint32_t y = 0; y < format_.height; ++y)
      convertRow(frame.data() + pitch_ * y, image.row(y));
  }
  return true;
}

}  // namespace glint::capture
