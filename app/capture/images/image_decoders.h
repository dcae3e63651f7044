// JPEG and PNG files by their own libraries, which report damage that OpenCV hides. OpenCV
// also lets what libpng says through to the terminal. Internal to app/.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <opencv2/core.hpp>

#include "gpu/frame.h"

namespace glint::capture {

/// Decodes a JPEG file into the pixels that cv::imdecode gives, of 8 bits: grey files into one
/// channel, all others into BGR. Returns an empty image if the file is damaged, also where libjpeg
/// would only warn and make up what is missing. Returns nothing if the file is no JPEG, or one of
/// four inks (CMYK).
std::optional<cv::Mat> decodeJpeg(std::span<const std::byte> file);

/// A JPEG file of colour or grey into `image`, of 8 bits: its luma, or of three channels its
/// colours. False if it is no JPEG, damaged, or of another size; then what is in `image` counts for
/// nothing.
bool decodeJpegInto(std::span<const std::byte> file, const gpu::ImageView& image);

/// Decodes a PNG file into the pixels that cv::imdecode gives, of 8 or 16 bits: grey files into one
/// channel, all others into BGR, also grey ones with alpha. Alpha is left out. Returns an empty
/// image if the file is damaged or has more than 2^30 pixels, and nothing if it is no PNG.
std::optional<cv::Mat> decodePng(std::span<const std::byte> file);

}  // namespace glint::capture
