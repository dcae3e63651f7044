// How far a recording for a calibration has come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/calibrate/recording.h"

namespace glint {

/// What cameras have seen of a wand, a light or a board.
struct TargetSeen {
  struct Camera {
    size_t seen = 0;      ///< frames with the target: whole, or six corners of a ChArUco board
    uint64_t fields = 0;  ///< of the image's 8x8 fields, row by row, those that it was in

    /// It was at `at`, px, in an image of this size.
    void mark(const Eigen::Vector2d& at, const FrameExtent& size) {
      constexpr double kFields = 8;
      const auto part = [](double place, int side) {
        return static_cast<uint64_t>(std::clamp((place + 0.5) / side * kFields, 0.0, kFields - 1));
      };
      fields |= uint64_t{1} << (part(at.y(), size.height) * 8 + part(at.x(), size.width));
    }
  };
  size_t frames = 0, shared = 0;  ///< all, and those in which two cameras saw the target
  std::vector<Camera> cameras;
};

}  // namespace glint
