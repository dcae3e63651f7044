// PNG files by libpng itself, whose lines OpenCV lets through to the terminal. Internal to app/.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <opencv2/core.hpp>

namespace glint::capture {

/// The same pixels as cv::imdecode: grey of one channel, all else, grey with alpha too, as BGR; 8
/// or 16 bits; without alpha. Empty if the file is damaged, or has more than 2^30 pixels. No value
/// if it is no PNG.
std::optional<cv::Mat> decodePng(std::span<const std::byte> file);

}  // namespace glint::capture
