// What streams are given: a frame's tracks as they are known at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "app/track/observation.h"
#include "gpu/frame.h"

namespace glint {

struct LiveCamera {
  uint32_t camera = 0;  ///< from 0, in the order of the sources
  FrameStamp stamp;
  std::vector<TrackRow> tracks;  ///< every confirmed track in this frame, by id
  double age = 0;  ///< s, from when it was taken to when this was known; 0 for recordings
};

/// One frame of the cameras that have not ended.
struct LiveFrame {
  std::chrono::system_clock::time_point tracked;  ///< when it became known
  std::vector<LiveCamera> cameras;
  uint32_t epoch = 0, pass = 0;  ///< see SessionFrame
};

}  // namespace glint
