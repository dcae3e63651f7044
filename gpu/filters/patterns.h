// What is sought by its look: an image, turned and scaled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/filters/head.h"
#include "gpu/filters/images.h"

namespace glint {

/// Words of a pattern: how many variants; of each one kVariantWords; then the pixels of all.
/// A variant: width and height of its box (px), its pixels, their sum, the sum of their squares (64
/// bits, low word first), where its pixels begin, and its angle and scale as fractions of their
/// ranges (float). A pixel: value | x << 16 | y << 24.
inline constexpr uint32_t kVariantWords = 9, kMostPatternSide = 64, kMostVariants = 1024;

/// The variants that a filter's parameters ask for: `part` (left, top, width, height of what is
/// taken of the image, px; width 0: all), `angle_from`, `angle_to`, `angle_step` (degrees, from x
/// towards y), `scale_from`, `scale_to`, `scale_step`. A variant's box is the least that holds the
/// image turned by its angle and scaled; pixel (i, j) of it is the image, bilinear and rounded, at
/// ((c x + s y) / scale + (w - 1) / 2, (c y - s x) / scale + (h - 1) / 2), where c and s are the
/// angle's cosine and sine and x, y are i, j seen from the box's middle; it counts where that is
/// within half a pixel of the image. Throws UsageError; `who` opens the message.
std::vector<uint32_t> patternWords(const FilterImage& image, const filters::Head& head,
                                   const filters::ParameterValues& values, const std::string& who);

}  // namespace glint
