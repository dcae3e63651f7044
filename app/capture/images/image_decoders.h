// Decodes JPEG, PNG and TIFF files by their own libraries, which report damage that OpenCV hides.
// OpenCV would also let libpng's messages through to the terminal. Internal to app/.
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

/// Decodes a JPEG file in colour or grey into `image`, which has 8 bits: its luma if the image has
/// one channel, its colours if it has three. Returns false if the file is not a JPEG, damaged, or
/// of another size; the contents of `image` are then undefined.
bool decodeJpegInto(std::span<const std::byte> file, const gpu::ImageView& image);

/// Decodes a PNG file into the pixels that cv::imdecode gives, of 8 or 16 bits: grey files into one
/// channel, all others into BGR, also grey ones with alpha. Alpha is left out. Returns an empty
/// image if the file is damaged or has more than 2^30 pixels, and nothing if it is no PNG.
std::optional<cv::Mat> decodePng(std::span<const std::byte> file);

}  // namespace glint::capture
