// Makes frames without a session.
#pragma once

#include "app/motion/frame/frame.h"
#include "tests/numbers.h"

namespace glint {

inline gpu::FrameStamp stampOf(uint64_t frame, double time) {
  gpu::FrameStamp stamp{};
  stamp.sequence = decltype(stamp.sequence)(frame);
  stamp.time = time;
  return stamp;
}

}  // namespace glint
