// What a session hands on: each frame of all cameras, measured and tracked.
#pragma once

#include <cstdint>
#include <vector>

#include "app/track/observation.h"
#include "gpu/detector.h"

namespace glint {

/// One frame of one camera, measured and tracked.
struct CameraFrame {
  LayerMeasurement measured;      ///< its stamp is empty when the camera has ended
  std::vector<TrackRow> live;     ///< every confirmed track in this frame, by id
  std::vector<TrackRow> settled;  ///< rows whose fate became known, by frame and id
};

/// One frame of all cameras, in the order of capture. The last one of a session holds no
/// measurement, only the rows that were still open.
struct SessionFrame {
  FrameLease pixels;  ///< null in the last one, and where no exporter wants pixels
  uint64_t droppedBefore = 0;
  std::vector<CameraFrame> cameras;
};

}  // namespace glint
