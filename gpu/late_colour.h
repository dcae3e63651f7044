// Makes the colour of neutral frames from their grey when it is first needed.
#pragma once

#include <cstdint>
#include <mutex>

#include "gpu/frame.h"

namespace glint::gpu {

/// Writes a row of `width` grey pixels of 8 bits as blue, green and red.
void colourRow(const std::byte* grey, uint32_t width, std::byte* to);

/// Remembers for which layers of a frame slot colour has been made. Thread-safe.
class LateColour {
 public:
  /// Notes that the layer has a new frame, whose colour is not made yet.
  void forget(uint32_t layer);
  /// Writes blue, green and red of a layer, 8 bits each, from its grey, unless they are made
  /// already.
  void make(uint32_t layer, const ImageView& view);

 private:
  std::mutex mutex_;
  uint32_t made_ = 0;  // one bit per layer
};

}  // namespace glint::gpu
