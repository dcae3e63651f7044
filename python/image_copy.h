// Pixels between NumPy, which has red, green, blue and rows without padding, and frames, which have
// blue, green, red.
#pragma once

#include <cstddef>

#include "gpu/frame.h"

namespace glint {

void copyImage(const std::byte* from, const ImageView& to);
void copyImage(const ImageView& from, std::byte* to);

}  // namespace glint
