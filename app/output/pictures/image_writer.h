// A picture into a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "gpu/frame.h"

namespace cv {
class Mat;
}

namespace glint::output {

/// Returns an image of OpenCV that shares the pixels of `image`, which must outlive it.
cv::Mat matOf(const gpu::ImageView& image);

/// Writes `image` to `path`, whose suffix says how it is encoded, all or nothing: OpenCV's own
/// writers do not look whether what they write arrives. Throws Error naming the file.
void writeImage(const std::string& path, const cv::Mat& image);
void writeImage(const std::string& path, const gpu::ImageView& image);

/// The same of rows of `width` pixels, each blue, green, red and a byte of no meaning; `height` of
/// them.
void writePixels(const std::string& path, uint32_t width, uint32_t height,
                 std::span<const std::byte> pixels);

}  // namespace glint::output
