// The suffixes of images that Glint reads.
#pragma once

#include <array>
#include <string_view>

namespace glint::capture {

/// In lower case.
inline constexpr std::array<std::string_view, 17> kImageSuffixes{
    ".png",  ".tif", ".tiff", ".pgm", ".ppm", ".pnm",  ".jpg", ".jpeg", ".bmp",
    ".webp", ".exr", ".jp2",  ".dng", ".pfm", ".fits", ".fit", ".tga"};

/// The suffixes of images that libav decodes.
inline constexpr std::array<std::string_view, 5> kLibavSuffixes{".webp", ".exr", ".jp2", ".dng",
                                                                ".tga"};

}  // namespace glint::capture
