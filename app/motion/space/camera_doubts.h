// Which cameras stand elsewhere than the rig says, from the first frame on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/space/camera_move_detector.h"
#include "app/motion/space/noise_floor.h"

namespace glint::motion {

/// Counts how many of the points that others place a camera's rays fit. One that was turned or
/// exchanged since the rig was made sees dots that fit none, and nothing else tells of it.
class CameraDoubts {
 public:
  explicit CameraDoubts(size_t cameras) : cameras_(cameras) {}

  /// In a set.
  void see(size_t camera, size_t dots) { cameras_[camera].dots += dots; }
  /// A confirmed point that two other cameras or more place in this one's image; `fits`: it has
  /// this camera's ray.
  void expect(size_t camera, bool fits) {
    ++cameras_[camera].expected;
    cameras_[camera].fitting += fits;
  }

  /// The camera is known to stand elsewhere, and the rig is corrected.
  void beginAnew(size_t camera) { cameras_[camera] = {}; }

  /// A sentence for each camera that is in doubt, by what is known now.
  std::vector<std::string> sentences(const SpaceRig& rig, const CameraMoveDetector& moves,
                                     const NoiseFloor& floor) const;
  /// Those of cameras that were in no doubt before.
  std::vector<std::string> fresh(const SpaceRig& rig, const CameraMoveDetector& moves,
                                 const NoiseFloor& floor);

 private:
  struct Camera {
    uint64_t dots = 0, expected = 0, fitting = 0;
    bool told = false;
  };
  std::string sentence(size_t camera, const SpaceRig& rig, const CameraMoveDetector& moves,
                       const NoiseFloor& floor) const;

  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
