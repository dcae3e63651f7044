// Detects cameras that have been in another place than the rig says since the first frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/space/camera_move_detector.h"
#include "app/motion/space/noise_floor.h"
#include "app/motion/space/rig_check_options.h"

namespace glint::motion {

/// Counts for each camera how many of the points that other cameras locate have a ray of this
/// camera. A camera that was turned or exchanged since the rig was made sees dots that fit no
/// point. Nothing else would show that.
class CameraDoubts {
 public:
  explicit CameraDoubts(size_t cameras, const CameraDoubtOptions& options = {})
      : options_(options), cameras_(cameras) {}

  /// Adds the number of a camera's dots in a set.
  void see(size_t camera, size_t dots) { cameras_[camera].dots += dots; }
  /// Counts a confirmed point that at least two other cameras locate within this camera's image.
  /// `fits` is true if the point has this camera's ray.
  void expect(size_t camera, bool fits) {
    ++cameras_[camera].expected;
    cameras_[camera].fitting += fits;
  }

  /// Forgets what a camera has seen, because the rig has been corrected.
  void restart(size_t camera) { cameras_[camera] = {}; }

  /// Returns a sentence for each camera that is in doubt by everything counted so far.
  std::vector<std::string> sentences(const SpaceRig& rig, const CameraMoveDetector& moves,
                                     const NoiseFloor& floor) const;
  /// Returns sentences for cameras that were not in doubt before.
  std::vector<std::string> fresh(const SpaceRig& rig, const CameraMoveDetector& moves,
                                 const NoiseFloor& floor);

 private:
  struct Camera {
    uint64_t dots = 0, expected = 0, fitting = 0;
    bool reported = false;
  };
  std::string sentence(size_t camera, const SpaceRig& rig, const CameraMoveDetector& moves,
                       const NoiseFloor& floor) const;

  CameraDoubtOptions options_;
  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
