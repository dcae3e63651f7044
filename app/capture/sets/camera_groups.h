// Which cameras share buffers and dispatches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/frame.h"

namespace glint::capture {

/// Cameras of one format are layers of one group, at most kMaxLayers of them; others form further
/// groups. Groups stand in the order of their first cameras, layers in that of the cameras.
struct CameraGroups {
  struct Place {
    size_t group = 0;
    uint32_t layer = 0;
  };
  std::vector<gpu::FrameFormat> formats;  ///< a group each
  std::vector<Place> places;              ///< a camera each

  std::vector<gpu::ImageFormat> images() const;  ///< a camera each
};

CameraGroups groupCameras(const std::vector<gpu::ImageFormat>& cameras);

}  // namespace glint::capture
