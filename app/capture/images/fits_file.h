// FITS images, which libav would stretch from their own least to their own greatest value. Internal
// to app/.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <opencv2/core.hpp>

namespace glint::capture {

/// Returns true if the bytes begin as a FITS file does.
bool isFits(std::span<const std::byte> file);

/// Returns true if the file is a recording in FITS: if it has several images, or three planes for
/// colour. Recordings are left to libav. False for a file that cannot be read.
bool isFitsRecording(const std::string& path);

/// Decodes the primary image of a FITS file (FITS 4.0, sections 3 to 5) into one channel, its last
/// row first, as it is shown. Values are BZERO + BSCALE * stored. Whole numbers of 8 or 16 bits
/// that are only shifted, or not at all, stay whole numbers from 0 on, and negative ones become 0.
/// All else becomes doubles. Throws Error that names the file: no image of two axes, cut short.
cv::Mat decodeFits(const std::string& name, std::span<const std::byte> file);

}  // namespace glint::capture
