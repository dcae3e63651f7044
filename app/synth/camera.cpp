#include "app/synth/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace glint {

Eigen::Vector3d PinholeCamera::project(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d seen = rotation * (point - eye);
  return {centre.x() + focal * seen.x() / seen.z(), centre.y() + focal * seen.y() / seen.z(),
          seen.z()};
}

PinholeCamera ringCamera(int index, int count, FrameSize size) {
  constexpr double firstAngle = -1.17;       // rad; camera 0 sees every marker of seed 1 often
  constexpr double distance = 6.0;           // m, of the ring from the volume's centre
  constexpr double focalPerHeight = 2.65;    // 1.75 m at 6 m fill 0.77 of the height
  const Eigen::Vector3d target(0, 0, 0.82);  // m, half a figure high
  const double angle = firstAngle + 2 * std::numbers::pi * index / count;

  PinholeCamera camera;
  camera.eye = {distance * std::cos(angle), distance * std::sin(angle), index % 2 == 0 ? 1.6 : 2.2};
  const Eigen::Vector3d forward = (target - camera.eye).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
  camera.rotation.row(0) = right;
  camera.rotation.row(1) = forward.cross(right);
  camera.rotation.row(2) = forward;
  // In a narrow image the figure must still have room to walk: 0.75 of the width counts as height.
  camera.focal = focalPerHeight * std::min<double>(size.height, 0.75 * size.width);
  camera.centre = {(size.width - 1) / 2.0, (size.height - 1) / 2.0};
  return camera;
}

}  // namespace glint
