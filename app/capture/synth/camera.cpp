#include "app/capture/synth/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "app/motion/geometry/rotation.h"

namespace glint::capture {
namespace {

constexpr double kMetre = 1000;                   // mm
constexpr double kFocalPerWidth = 1000.0 / 1280;  // focal length of cameras for a wand or a board

/// Returns a camera at `eye` that looks at `target`, both in metres, without distortion.
motion::RigCamera lookingAt(const Eigen::Vector3d& eye, const Eigen::Vector3d& target, int index,
                            FrameSize size, double focal) {
  const Eigen::Vector3d forward = (target - eye).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
  Eigen::Matrix3d rotation;
  rotation << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  motion::RigCamera camera;
  camera.name = fmt::format("cam_{}", index);
  camera.width = static_cast<int>(size.width);
  camera.height = static_cast<int>(size.height);
  camera.lens = {focal, focal, (size.width - 1) / 2.0, (size.height - 1) / 2.0};
  camera.pose = {motion::rodriguesOf(rotation), -kMetre * (rotation * eye)};
  return camera;
}

}  // namespace

Eigen::Vector3d seenBy(const motion::RigCamera& camera, const Eigen::Vector3d& metres) {
  const motion::Projection seen = motion::project(camera.lens, camera.pose, kMetre * metres);
  return {seen.pixel.x(), seen.pixel.y(), seen.depth / kMetre};
}

motion::RigCamera ringCamera(int index, int count, FrameSize size) {
  constexpr double firstAngle = -1.17;     // rad; with it camera 0 often sees each marker of seed 1
  constexpr double distance = 6.0;         // m: distance of the ring from the volume's centre
  constexpr double focalPerHeight = 2.65;  // a figure of 1.75 m at 6 m fills 0.77 of the height
  const Eigen::Vector3d target(0, 0, 0.82);  // m: at half the height of a figure
  const double angle = firstAngle + 2 * std::numbers::pi * index / count;
  const Eigen::Vector3d eye(distance * std::cos(angle), distance * std::sin(angle),
                            index % 2 == 0 ? 1.6 : 2.2);
  // The figure must have room to walk in a narrow image, too, where 0.75 of the width counts as
  // height.
  return lookingAt(eye, target, index, size,
                   focalPerHeight * std::min<double>(size.height, 0.75 * size.width));
}

motion::RigCamera wandCamera(int index, int count, FrameSize size) {
  constexpr double distance = 3.5;
  const double angle = 2 * std::numbers::pi * index / count;
  const Eigen::Vector3d eye(distance * std::cos(angle), distance * std::sin(angle),
                            index % 2 == 0 ? 1.5 : 2.2);
  return lookingAt(eye, {0, 0, 1}, index, size, kFocalPerWidth * size.width);
}

motion::RigCamera boardCamera(int index, int count, FrameSize size) {
  constexpr double distance = 0.7, arc = std::numbers::pi / 3;
  const double angle = count > 1 ? arc * (static_cast<double>(index) / (count - 1) - 0.5) : 0;
  const Eigen::Vector3d eye(distance * std::cos(angle), distance * std::sin(angle),
                            index % 2 == 0 ? 0.9 : 1.15);
  return lookingAt(eye, {0, 0, 1}, index, size, kFocalPerWidth * size.width);
}

}  // namespace glint::capture
