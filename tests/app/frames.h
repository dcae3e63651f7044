// Frames that no session has made.
#pragma once

#include "app/frame/frame.h"
#include "tests/numbers.h"

namespace glint {

inline FrameStamp stampOf(uint64_t frame, double time) {
  FrameStamp stamp{};
  stamp.sequence = decltype(stamp.sequence)(frame);
  stamp.time = time;
  return stamp;
}

}  // namespace glint
