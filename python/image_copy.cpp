#include "python/image_copy.h"

#include <cstring>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace glint::python {
namespace {

void copyRows(const gpu::ImageFormat& format, const std::byte* from, size_t fromPitch,
              std::byte* to, size_t toPitch) {
  const size_t row = size_t{format.width} * format.bytesPerPixel();
  if (format.channels == 1 && fromPitch == row && toPitch == row) {
    std::memcpy(to, from, row * format.height);
  } else if (format.channels == 1) {
    for (uint32_t y = 0; y < format.height; ++y)
      std::memcpy(to + y * toPitch, from + y * fromPitch, row);
  } else {
    const int type = format.bits == 8 ? CV_8UC3 : CV_16UC3;
    const auto width = static_cast<int>(format.width), height = static_cast<int>(format.height);
    const cv::Mat given(height, width, type, const_cast<std::byte*>(from), fromPitch);
    cv::Mat made(height, width, type, to, toPitch);
    cv::cvtColor(given, made, cv::COLOR_RGB2BGR);
  }
}

}  // namespace

void copyImage(const std::byte* from, const gpu::ImageView& to) {
  copyRows(to.format, from, size_t{to.format.width} * to.format.bytesPerPixel(), to.data,
           to.rowPitch);
}

void copyImage(const std::byte* from, const gpu::ImageView& to, gpu::RowCopier& copier,
               const std::function<void(uint32_t rows)>& written) {
  if (to.format.channels != 1) return copyImage(from, to);
  copier.copy(from, size_t{to.format.width} * to.format.bytesPerPixel(), to, written);
}

void copyImage(const gpu::ImageView& from, std::byte* to) {
  copyRows(from.format, from.data, from.rowPitch, to,
           size_t{from.format.width} * from.format.bytesPerPixel());
}

}  // namespace glint::python
