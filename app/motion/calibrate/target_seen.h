// Progress of a recording that is made for a calibration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/motion/calibrate/image_fields.h"

namespace glint::motion {

/// Counts of how often cameras have seen a wand, a light or a board.
struct TargetSeen {
  struct Camera {
    /// Frames with the whole target, or with six corners of a ChArUco board.
    size_t seen = 0;
    /// Fields of the image in which the target was, as bits: see image_fields.h.
    uint64_t fields = 0;

    /// Notes that the target was at `at`, px, in an image of this size.
    void mark(const Eigen::Vector2d& at, const FrameExtent& size) { fields |= fieldAt(at, size); }
  };
  /// Number of all frames, and of those in which at least two cameras saw the target.
  size_t frames = 0, shared = 0;
  std::vector<Camera> cameras;
};

}  // namespace glint::motion
