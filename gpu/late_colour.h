// The colour of frames that have none, made when it is first looked at.
#pragma once

#include <cstdint>
#include <mutex>

#include "gpu/frame.h"

namespace glint::gpu {

/// Writes a row of `width` grey pixels of 8 bits as blue, green and red.
void colourRow(const std::byte* grey, uint32_t width, std::byte* to);

/// Of one slot. Thread-safe.
class LateColour {
 public:
  /// Another frame is there.
  void forget(uint32_t layer);
  /// Writes blue, green and red of a layer, 8 bits, from its grey, unless they are made.
  void make(uint32_t layer, const ImageView& view);

 private:
  std::mutex mutex_;
  uint32_t made_ = 0;  // a bit a layer
};

}  // namespace glint::gpu
