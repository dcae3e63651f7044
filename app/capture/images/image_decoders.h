// JPEG, PNG and TIFF files by their own libraries, which report damage that OpenCV hides. OpenCV
// also lets what libpng says through to the terminal. Internal to app/.
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

/// The same pixels as cv::imdecode: grey of one channel, all else, grey with alpha too, as BGR; 8
/// or 16 bits; without alpha. Empty if the file is damaged, or has more than 2^30 pixels. No value
/// if it is no PNG.
std::optional<cv::Mat> decodePng(std::span<const std::byte> file);

/// Whether all of the first image can be decoded, by libtiff without a complaint: OpenCV fills in
/// what cannot.
bool isWholeTiff(std::span<const std::byte> file);

}  // namespace glint::capture
