// Reads one image file, which must be whole. Internal to app/.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <opencv2/core.hpp>

namespace glint::capture {

class Interrupt;

/// Reads an image of 1 or 3 (BGR) channels, 8 or 16 bits. Throws Error, which names the file, if it
/// is missing, cut, damaged, not an image, or of another depth; Interrupted if it is a pipe to
/// which nothing is written until `interrupt` is set.
cv::Mat readImageFile(const std::string& path, const Interrupt* interrupt = nullptr);

/// Returns true if the bytes of an image file are structurally whole: a PNG up to IEND with all
/// checksums right, a JPEG up to its end marker, a BMP or a binary PGM/PPM with all its pixels.
/// Decoders would fill the missing part with grey and report that only on the terminal. Returns
/// true for all other formats.
bool isWholeImage(std::span<const std::byte> file);

}  // namespace glint::capture
