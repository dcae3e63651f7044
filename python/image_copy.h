// Copies pixels between NumPy's images, which have red, green, blue and rows without padding, and
// frames, which have blue, green, red.
#pragma once

#include <cstddef>
#include <functional>

#include "gpu/frame.h"
#include "gpu/row_copier.h"

namespace glint::python {

/// Copies an image from NumPy into a frame.
void copyImage(const std::byte* from, const gpu::ImageView& to);
/// Does the same. Grey images are copied by several threads, and `written` is called as
/// RowCopier::copy() does; for images in colour it is not called.
void copyImage(const std::byte* from, const gpu::ImageView& to, gpu::RowCopier& copier,
               const std::function<void(uint32_t rows)>& written);
/// Copies an image from a frame into NumPy's memory.
void copyImage(const gpu::ImageView& from, std::byte* to);

}  // namespace glint::python
