// How much of their scale the values of a picture use.
#pragma once

#include <cstdint>

#include "gpu/frame.h"

namespace glint::capture {

/// The least and the greatest value in a picture.
struct UsedValues {
  uint32_t low = 0, high = 0;
  /// Bits that the greatest value needs.
  uint32_t bits() const;
};
UsedValues usedValues(const gpu::ImageView& image);

}  // namespace glint::capture
