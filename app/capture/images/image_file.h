// One image file, whole or refused. Internal to app/.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <opencv2/core.hpp>

namespace glint::capture {

class Interrupt;

/// Reads an image of 1 or 3 (BGR) channels, 8 or 16 bits. Throws Error naming the file if it is
/// missing, cut, damaged, no image, or of another depth; Interrupted where it is a pipe that nobody
/// writes.
cv::Mat readImageFile(const std::string& path, const Interrupt* interrupt = nullptr);

/// Whether the bytes of an image file are structurally whole: a PNG up to IEND with all checksums
/// right, a JPEG up to its end marker, a BMP or a binary PGM/PPM with all its pixels. Decoders fill
/// the missing part with grey and say so on the terminal only. True for formats not known here.
bool isWholeImage(std::span<const std::byte> file);

}  // namespace glint::capture
