// Finds out that the rays of two cameras do not fit each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/space/dot_index.h"
#include "app/motion/space/rig_check_options.h"

namespace glint::motion {

/// Measures how far the dots of a rig of two cameras are from each other's lines. With two cameras
/// no third one tells which of them is wrong, so that CameraDoubts cannot say anything.
class RayMisses {
 public:
  explicit RayMisses(const RayMissOptions& options = {}) : options_(options) {}

  /// Takes the dots of a set, once those of points are marked as used. Ignores rigs of more
  /// cameras.
  void see(const SpaceRig& rig, const DotIndex& dots);
  /// Returns a sentence if few dots make points although most are near to a line; else "".
  std::string sentence() const;

 private:
  RayMissOptions options_;
  uint64_t dots_ = 0, used_ = 0;  // of both cameras
  std::vector<double> misses_;    // px, from a dot's line to the nearest dot in the other image
  std::vector<double> chances_;   // of a dot as near as that by chance, 0 to 1
};

}  // namespace glint::motion
