#include <bit>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <vector>

#include <png.h>

#include "app/capture/images/image_decoders.h"

namespace glint::capture {
namespace {

constexpr uint64_t kMostPixels = uint64_t{1} << 30;

struct Input {
  std::span<const std::byte> left;
};

void readPart(png_structp png, png_bytep to, size_t count) {
  auto& input = *static_cast<Input*>(png_get_io_ptr(png));
  if (count > input.left.size()) png_error(png, "the end of the file");
  std::memcpy(to, input.left.data(), count);
  input.left = input.left.subspan(count);
}

/// Leaves libpng after an error, because its handler must not return.
[[noreturn]] void leave(png_structp png, png_const_charp) {
  png_longjmp(png, 1);
}

// Ignores warnings, which are about colour profiles, times and texts that are not used.
void passOver(png_structp, png_const_charp) {}

/// Makes libpng give one channel for grey and three for everything else, with samples of 8 or 16
/// bits in the host's byte order.
void setFormat(png_structp png, png_infop info, bool colour) {
  const int bits = png_get_bit_depth(png, info);
  if (bits == 16 && std::endian::native == std::endian::little) png_set_swap(png);
  if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (!colour && bits < 8) png_set_expand_gray_1_2_4_to_8(png);
  if (colour) {
    png_set_gray_to_rgb(png);
    png_set_bgr(png);
  }
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

/// Decodes a file into `image`. Returns false if it is damaged. No local object may need a
/// destructor, because errors leave by longjmp.
bool decodeInto(png_structp png, png_infop info, cv::Mat& image, std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_info(png, info);
  const uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  if (uint64_t{width} * height > kMostPixels) return false;
  const bool colour = png_get_color_type(png, info) != PNG_COLOR_TYPE_GRAY;
  setFormat(png, info, colour);
  const int depth = png_get_bit_depth(png, info) == 16 ? CV_16U : CV_8U;
  image.create(static_cast<int>(height), static_cast<int>(width),
               CV_MAKETYPE(depth, colour ? 3 : 1));
  if (png_get_rowbytes(png, info) != image.elemSize() * width) return false;
  rows.resize(height);
  for (uint32_t y = 0; y < height; ++y) rows[y] = image.ptr(static_cast<int>(y));
  png_read_image(png, rows.data());
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

std::optional<cv::Mat> decodePng(std::span<const std::byte> file) {
  constexpr size_t kSignature = 8;
  if (file.size() < kSignature ||
      png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, kSignature) != 0)
    return std::nullopt;
  Input input{file};
  cv::Mat image;
  std::vector<png_bytep> rows;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, passOver);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  bool whole = false;
  if (info != nullptr) {
    png_set_read_fn(png, &input, readPart);
    // isWholeImage() has compared the checksums of all chunks.
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    whole = decodeInto(png, info, image, rows);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return whole ? image : cv::Mat();
}

}  // namespace glint::capture
