// The properties of a session that streams of points and bodies need, and their axes and unit.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <Eigen/Geometry>

#include "app/motion/space/body.h"
#include "app/motion/space/space_rig.h"
#include "app/output/takes/take_options.h"

namespace glint::output {

/// The rig and the bodies of a session.
struct StreamedSpace {
  std::shared_ptr<const motion::SpaceRig> rig = nullptr;  ///< null: no points are computed
  /// Null: no bodies are searched for.
  std::shared_ptr<const std::vector<motion::Body>> bodies = nullptr;
};

/// A conversion from Glint's axes and unit (z up, mm) to those of a stream: y or z up, m. With y
/// up, (x, y, z) becomes (x, z, -y), as in files: see turn() in take.h.
class StreamAxes {
 public:
  explicit StreamAxes(UpAxis up);

  UpAxis up() const { return up_; }
  /// Returns a place or a length vector in m. `mm` is in mm.
  Eigen::Vector3d place(const Eigen::Vector3d& mm) const { return 1e-3 * (turn_ * mm); }
  /// Returns the attitude of a body, whose own axes are turned with the world's. w is not negative.
  Eigen::Quaterniond attitude(const Eigen::Quaterniond& from) const;
  /// Returns the attitude of a camera, with its own axes x right, y up and z backward. w is not
  /// negative.
  Eigen::Quaterniond attitude(const motion::SpaceCamera& camera) const;

 private:
  UpAxis up_;
  Eigen::Matrix3d turn_;
};

}  // namespace glint::output
