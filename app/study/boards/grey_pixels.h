// Frames as OpenCV's detectors take them.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/frame.h"

namespace glint::study {

/// 8 bits a pixel, rows without gaps; of 16 bits the high byte, of colours the luminance (Rec.
/// 709).
std::vector<uint8_t> greyPixels(const gpu::ImageView& image);

}  // namespace glint::study
