// Reads the EXIF data that cameras write beside their pictures. Internal to app/.
#pragma once

#include <cstddef>
#include <span>

#include "app/capture/source/orientation.h"

namespace glint::capture {

/// Returns the orientation that a JPEG (segment APP1), a PNG (chunk eXIf) or a WebP (chunk EXIF)
/// states in its Exif data (CIPA DC-008, tag 0x0112); upright if it states none that is valid.
Orientation exifOrientation(std::span<const std::byte> file);

}  // namespace glint::capture
