// A pinhole camera, and where the cameras of a scene stand.
#pragma once

#include <Eigen/Core>

#include "app/synth/options.h"

namespace glint {

/// World: metres, z up, the floor at z = 0. Image: px, (0, 0) is the centre of the top-left pixel.
/// x = centre.x + focal * X / Z, y = centre.y + focal * Y / Z, with (X, Y, Z) = rotation * (p -
/// eye).
struct PinholeCamera {
  Eigen::Vector3d eye;
  Eigen::Matrix3d rotation;  ///< rows: to the right, down, forward
  double focal;              ///< px
  Eigen::Vector2d centre;    ///< principal point, px

  /// x, y in px, and the depth Z in metres.
  Eigen::Vector3d project(const Eigen::Vector3d& point) const;
};

/// Camera `index` of `count` that stand in a ring of 6 m around the capture volume, in turns at 1.6
/// and 2.2 m, and look at its centre. A figure there fills 0.77 of the image's height.
PinholeCamera ringCamera(int index, int count, FrameSize size);

}  // namespace glint
