// Writes pictures into files.
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

/// Writes `image` as a whole to `path`, whose suffix chooses the encoding. OpenCV's own writers do
/// not check whether everything was written. Throws Error naming the file.
void writeImage(const std::string& path, const cv::Mat& image);
void writeImage(const std::string& path, const gpu::ImageView& image);

/// Writes a picture of `height` rows of `width` pixels in the same way. Each pixel has blue, green,
/// red and an unused byte.
void writePixels(const std::string& path, uint32_t width, uint32_t height,
                 std::span<const std::byte> pixels);

}  // namespace glint::output
