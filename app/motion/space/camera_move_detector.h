// Finds out during a run that a camera was moved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/space/dot_index.h"
#include "app/motion/space/rig_check_options.h"

namespace glint::motion {

/// A point that others place, and the dot of this camera that is nearest to where it should be.
struct CameraOffset {
  uint64_t frame;
  Eigen::Vector2d by;     ///< px, from there
  Eigen::Vector2d pixel;  ///< the dot
  Eigen::Vector3d point;  ///< mm
};

struct CameraMove {
  size_t camera;
  uint64_t since;                  ///< frame
  bool atFirst;                    ///< it never stood where the rig says
  Eigen::Vector2d by;              ///< px, the median offset
  double degrees;                  ///< about
  std::vector<CameraOffset> seen;  ///< since then

  /// "camera 2 moved by about 0.3 degrees since frame 5200", or "camera 2 stands about 0.3 degrees
  /// from where the rig says"
  std::string words() const;
};

/// Points that other cameras place say where a camera should see them. A camera that was moved or
/// turned sees all of them aside, by about as much, while its rays do not fit any more and are left
/// out. Medians of many such offsets are compared with those from the beginning.
class CameraMoveDetector {
 public:
  explicit CameraMoveDetector(size_t cameras, const CameraMoveOptions& options = {})
      : options_(options), cameras_(cameras) {}

  /// A point that two other cameras or more place; `at`: where this one should see it.
  void add(size_t camera, uint64_t frame, const DotIndex& dots, const Eigen::Vector3d& point,
           const Eigen::Vector2d& at);

  /// Once a set's points are added: each move once. Where the rig may be corrected, that of a
  /// camera that stood aside when the run began is one, too.
  std::vector<CameraMove> moves(const SpaceRig& rig);

  /// px, the median offset of the first window that told one: how far the camera stood aside when
  /// the run began; 0 before that.
  double asideAtFirst(size_t camera) const { return cameras_[camera].asideAtFirst; }

  /// Whether it stood aside then, and that will be one of moves().
  bool willTell(size_t camera) const { return cameras_[camera].wrong; }

  /// The camera is known to stand elsewhere: what it sees from now on is as it should be.
  void beginAnew(size_t camera) { cameras_[camera] = {}; }

 private:
  struct Moved {
    uint64_t since;
    Eigen::Vector2d by;
  };
  struct Camera {
    std::vector<CameraOffset> window;
    std::vector<CameraOffset> unsure;      // the window before, if it told nothing
    std::optional<Eigen::Vector2d> usual;  // px
    double asideAtFirst = 0;               // px
    bool wrong = false;                    // then, where the rig may be corrected; not told yet
    std::optional<Moved> moved;            // what the window before said, if that is something else
  };
  CameraMoveOptions options_;
  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
