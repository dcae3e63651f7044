// How far a recording for a calibration has come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/motion/calibrate/image_fields.h"

namespace glint::motion {

/// What cameras have seen of a wand, a light or a board.
struct TargetSeen {
  struct Camera {
    size_t seen = 0;      ///< frames with the target: whole, or six corners of a ChArUco board
    uint64_t fields = 0;  ///< of the image, those that it was in

    /// It was at `at`, px, in an image of this size.
    void mark(const Eigen::Vector2d& at, const FrameExtent& size) { fields |= fieldAt(at, size); }
  };
  size_t frames = 0, shared = 0;  ///< all, and those in which two cameras saw the target
  std::vector<Camera> cameras;
};

}  // namespace glint::motion
