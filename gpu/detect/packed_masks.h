// The masks of a session's cameras in the form that kernels read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/frame.h"
#include "gpu/mask.h"
#include "gpu/passes.h"

namespace glint::gpu {

class PackedMasks {
 public:
  /// Throws Error if the masks do not fit the format.
  PackedMasks(const Device& device, const FrameFormat& format, const std::vector<LayerMask>& masks);

  PixelMask bits() const { return {&buffer_, pitch_}; }

  /// Returns the number of pixels of a layer that are not masked.
  size_t measured(uint32_t layer) const { return measured_[layer]; }

 private:
  std::vector<size_t> measured_;
  uint32_t pitch_;
  Buffer buffer_;
};

}  // namespace glint::gpu
