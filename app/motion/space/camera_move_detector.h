// Detects during a run that a camera was moved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/space/dot_index.h"
#include "app/motion/space/rig_check_options.h"

namespace glint::motion {

/// The place where a camera should see a point that other cameras locate, compared with the
/// camera's nearest dot.
struct CameraOffset {
  uint64_t frame;
  /// Vector from the expected place to the dot, px.
  Eigen::Vector2d by;
  /// Position of the dot, px.
  Eigen::Vector2d pixel;
  /// Position of the point in the world, mm.
  Eigen::Vector3d point;
};

/// A camera that is not where the rig says.
struct CameraMove {
  size_t camera;
  /// First frame in which the camera stood elsewhere.
  uint64_t since;
  /// True if the camera has never stood where the rig says.
  bool atFirst;
  /// Median offset, px.
  Eigen::Vector2d by;
  /// Approximate angle of the move, degrees.
  double degrees;
  /// Offsets of the newest window.
  std::vector<CameraOffset> seen;

  /// Returns a sentence such as "camera 2 moved by about 0.3 degrees since frame 5200" or "camera 2
  /// stands about 0.3 degrees from where the rig says".
  std::string words() const;
};

/// Points that other cameras locate predict where a camera should see them. A camera that was moved
/// or turned sees all of them with about the same offset, while its rays do not fit any more and
/// are left out. The median of a window of such offsets is compared with that of the beginning.
class CameraMoveDetector {
 public:
  explicit CameraMoveDetector(size_t cameras, const CameraMoveOptions& options = {})
      : options_(options), cameras_(cameras) {}

  /// Adds a point that at least two other cameras locate. `at` is the place where this camera
  /// should see it, px. Does nothing if no dot is near.
  void add(size_t camera, uint64_t frame, const DotIndex& dots, const Eigen::Vector3d& point,
           const Eigen::Vector2d& at);

  /// Returns the moves found since the last call, each once. Call after the points of a set were
  /// added. If the rig may be corrected, a camera that was already in the wrong place when the run
  /// began is returned, too.
  std::vector<CameraMove> moves(const SpaceRig& rig);

  /// Returns the median offset in the camera's first conclusive window, px. It tells how wrong the
  /// camera's place was when the run began. Returns 0 before that window.
  double asideAtFirst(size_t camera) const { return cameras_[camera].asideAtFirst; }

  /// Returns true if the camera's place was wrong at the beginning and moves() will return it
  /// later.
  bool willReport(size_t camera) const { return cameras_[camera].wrong; }

  /// Forgets what a camera has seen. Call when the camera's new place is known.
  void restart(size_t camera) { cameras_[camera] = {}; }

 private:
  struct Moved {
    uint64_t since;
    Eigen::Vector2d by;
  };
  struct Camera {
    std::vector<CameraOffset> window;
    // The previous window, if it was not conclusive.
    std::vector<CameraOffset> unsure;
    // Median offset that counts as normal, px.
    std::optional<Eigen::Vector2d> usual;
    double asideAtFirst = 0;  // px
    // True if the place was wrong at the beginning, the rig may be corrected, and moves() has not
    // returned this yet.
    bool wrong = false;
    // A move that the previous window suggested.
    std::optional<Moved> moved;
  };
  CameraMoveOptions options_;
  std::vector<Camera> cameras_;
};

}  // namespace glint::motion
