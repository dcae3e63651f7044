#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

#include "app/capture/images/image_decoders.h"

namespace glint::capture {
namespace {

/// The place to which libjpeg jumps after an error, because its handler must not return. `manager`
/// must be the first member, because libjpeg knows only that.
struct Failure {
  jpeg_error_mgr manager;
  std::jmp_buf exit;
};

[[noreturn]] void leave(j_common_ptr info) {
  std::longjmp(reinterpret_cast<Failure*>(info->err)->exit, 1);
}

// Counts warnings (level -1), which mean corrupt data; messages of other levels do not matter.
void noteWarning(j_common_ptr info, int level) {
  if (level < 0) ++info->err->num_warnings;
}

enum class Outcome { whole, damaged, fourInks };

bool isJpeg(std::span<const std::byte> file) {
  return file.size() > 2 && file[0] == std::byte{0xFF} && file[1] == std::byte{0xD8};
}

jpeg_error_mgr* handlersOf(Failure& failure) {
  jpeg_error_mgr* manager = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = leave;
  failure.manager.emit_message = noteWarning;
  return manager;
}

/// Decodes a file into `image`. No local object may need a destructor, because errors leave by
/// longjmp.
bool decodeInto(jpeg_decompress_struct& info, Failure& failure, std::span<const std::byte> file,
                const gpu::ImageView& image) {
  if (setjmp(failure.exit) != 0) return false;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(file.data()),
               static_cast<unsigned long>(file.size()));
  jpeg_read_header(&info, TRUE);
  if (info.image_width != image.format.width || info.image_height != image.format.height)
    return false;
  info.out_color_space = image.format.channels == 1 ? JCS_GRAYSCALE : JCS_EXT_BGR;
  jpeg_start_decompress(&info);
  while (info.output_scanline < info.output_height) {
    auto* row = reinterpret_cast<JSAMPROW>(image.row(info.output_scanline));
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  return failure.manager.num_warnings == 0;
}

/// Decodes a file into a new `image`. No local object may need a destructor, because errors leave
/// by longjmp.
Outcome decodeInto(jpeg_decompress_struct& info, Failure& failure, std::span<const std::byte> file,
                   cv::Mat& image) {
  if (setjmp(failure.exit) != 0) return Outcome::damaged;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(file.data()),
               static_cast<unsigned long>(file.size()));
  jpeg_read_header(&info, TRUE);
  if (info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK)
    return Outcome::fourInks;
  info.out_color_space = info.num_components == 1 ? JCS_GRAYSCALE : JCS_EXT_BGR;
  jpeg_start_decompress(&info);
  image.create(static_cast<int>(info.output_height), static_cast<int>(info.output_width),
               CV_8UC(info.output_components));
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = image.ptr(static_cast<int>(info.output_scanline));
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  return failure.manager.num_warnings == 0 ? Outcome::whole : Outcome::damaged;
}

}  // namespace

std::optional<cv::Mat> decodeJpeg(std::span<const std::byte> file) {
  if (!isJpeg(file)) return std::nullopt;
  Failure failure{};
  jpeg_decompress_struct info{};
  info.err = handlersOf(failure);
  cv::Mat image;
  const Outcome outcome = decodeInto(info, failure, file, image);
  jpeg_destroy_decompress(&info);
  if (outcome == Outcome::fourInks) return std::nullopt;
  return outcome == Outcome::whole ? image : cv::Mat();
}

bool decodeJpegInto(std::span<const std::byte> file, const gpu::ImageView& image) {
  if (!isJpeg(file)) return false;
  Failure failure{};
  jpeg_decompress_struct info{};
  info.err = handlersOf(failure);
  const bool whole = decodeInto(info, failure, file, image);
  jpeg_destroy_decompress(&info);
  return whole;
}

}  // namespace glint::capture
