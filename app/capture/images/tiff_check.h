// Whether a TIFF file is whole, which OpenCV does not report. Internal to app/.
#pragma once

#include <cstddef>
#include <span>

namespace glint::capture {

/// Whether all of the first image can be decoded, by libtiff without a complaint: OpenCV fills in
/// what cannot.
bool isWholeTiff(std::span<const std::byte> file);

}  // namespace glint::capture
