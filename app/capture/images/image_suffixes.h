// The suffixes of images that Glint reads.
#pragma once

#include <array>
#include <string_view>

namespace glint::capture {

/// In lower case.
inline constexpr std::array<std::string_view, 16> kImageSuffixes{
    ".png", ".tif",  ".tiff", ".pgm", ".ppm", ".pnm", ".jpg",  ".jpeg",
    ".bmp", ".webp", ".exr",  ".jp2", ".dng", ".pfm", ".fits", ".fit"};

/// The suffixes of images that libav decodes.
inline constexpr std::array<std::string_view, 4> kLibavSuffixes{".webp", ".exr", ".jp2", ".dng"};

}  // namespace glint::capture
