// Sees that a camera was moved while a run goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/space/dot_index.h"

namespace glint {

/// Points that other cameras place say where a camera should see them. A camera that was moved or
/// turned sees all of them aside, by about as much, while its rays do not fit any more and are left
/// out. Medians of many such offsets are compared with those from the beginning.
class CameraWatch {
 public:
  explicit CameraWatch(size_t cameras) : cameras_(cameras) {}

  /// A point that two other cameras or more place; `at`: where this one should see it.
  void add(size_t camera, uint64_t frame, const DotIndex& dots, const Eigen::Vector2d& at);

  /// Once a set's points are added: "camera 2 moved by about 0.3 degrees since frame 5200", once
  /// for each time that one is moved.
  std::vector<std::string> notes(const SpaceRig& rig);

 private:
  struct Offset {
    uint64_t frame;
    Eigen::Vector2d by;  // px
  };
  struct Camera {
    std::vector<Offset> window;
    std::vector<Offset> unsure;            // the window before, if it told nothing
    std::optional<Eigen::Vector2d> usual;  // px
    std::optional<Offset> moved;           // what the window before said, if that is something else
  };
  std::vector<Camera> cameras_;
};

}  // namespace glint
