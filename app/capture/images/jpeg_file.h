// JPEG files by libjpeg itself, which reports damage that OpenCV hides. Internal to app/.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <opencv2/core.hpp>

#include "gpu/frame.h"

namespace glint::capture {

/// The same pixels as cv::imdecode: grey of one channel, all else as BGR, 8 bits. Empty if the file
/// is damaged: also where libjpeg would only warn and make up what is missing. No value if it is no
/// JPEG, or one of four inks (CMYK).
std::optional<cv::Mat> decodeJpeg(std::span<const std::byte> file);

/// A JPEG file of colour or grey into `image`, of 8 bits: its luma, or of three channels its
/// colours. False if it is no JPEG, damaged, or of another size; then what is in `image` counts for
/// nothing.
bool decodeJpegInto(std::span<const std::byte> file, const gpu::ImageView& image);

}  // namespace glint::capture
