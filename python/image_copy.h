// Pixels between NumPy, which has red, green, blue and rows without padding, and frames, which have
// blue, green, red.
#pragma once

#include <cstddef>
#include <functional>

#include "gpu/frame.h"
#include "gpu/row_copier.h"

namespace glint::python {

void copyImage(const std::byte* from, const gpu::ImageView& to);
/// Grey ones by several threads; of these `written` is told as by RowCopier::copy().
void copyImage(const std::byte* from, const gpu::ImageView& to, gpu::RowCopier& copier,
               const std::function<void(uint32_t rows)>& written);
void copyImage(const gpu::ImageView& from, std::byte* to);

}  // namespace glint::python
