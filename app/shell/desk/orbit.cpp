#include "app/shell/desk/orbit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace glint::shell {
namespace {

constexpr double kFocal = 1.2;   // focal length as a multiple of the rectangle's shorter side
constexpr double kTurn = 0.008;  // rad for each px of the mouse
constexpr double kHighest = 0.49 * std::numbers::pi;  // rad, the largest lift of the camera
// Distance of the camera as a multiple of the one that brings all points into sight.
constexpr double kMargin = 1.12;
constexpr double kNearestEye = 1, kFarthestEye = 1e7;  // mm, distances of the eye

}  // namespace

Orbit::Orbit(const Eigen::Vector3d& up) : up_(up) {
  Eigen::Index least = 0;
  up.cwiseAbs().minCoeff(&least);
  side_ = (Eigen::Vector3d::Unit(least) - up[least] * up).normalized();
}

void Orbit::place(double width, double height) {
  width_ = width;
  height_ = height;
  focal_ = kFocal * std::min(width, height);
}

Eigen::Vector3d Orbit::eye() const {
  const Eigen::Vector3d level = std::cos(turn_) * side_ + std::sin(turn_) * up_.cross(side_);
  return target_ + distance_ * (std::cos(lift_) * level + std::sin(lift_) * up_);
}

Eigen::Matrix3d Orbit::axes() const {
  const Eigen::Vector3d forward = (target_ - eye()).normalized();
  const Eigen::Vector3d right = forward.cross(up_).normalized();
  Eigen::Matrix3d axes;
  axes << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  return axes;
}

void Orbit::frame(std::span<const Eigen::Vector3d> points) {
  Eigen::Vector3d least = points.front(), most = least;
  for (const Eigen::Vector3d& p : points) {
    least = least.cwiseMin(p);
    most = most.cwiseMax(p);
  }
  target_ = (least + most) / 2;
  const Eigen::Matrix3d axes_ = axes();
  double needed = kNearestEye;
  for (const Eigen::Vector3d& p : points) {
    const Eigen::Vector3d q =
        // A point is in sight if |q| focal / (distance + q.z) is inside the rectangle.
        axes_ * (p - target_);
    const double aside = std::max(std::abs(q.x()) / width_, std::abs(q.y()) / height_);
    needed = std::max(needed, 2 * kMargin * focal_ * aside - q.z());
    needed = std::max(needed, -1.1 * q.z());
  }
  distance_ = std::clamp(needed, kNearestEye, kFarthestEye);
}

void Orbit::turnBy(double dx, double dy) {
  turn_ = std::remainder(turn_ - kTurn * dx, 2 * std::numbers::pi);
  lift_ = std::clamp(lift_ + kTurn * dy, -kHighest, kHighest);
}

void Orbit::moveBy(double dx, double dy) {
  const Eigen::Matrix3d axes_ = axes();
  target_ -= (dx * axes_.row(0) + dy * axes_.row(1)).transpose() / scale();
}

void Orbit::zoomBy(double factor) {
  distance_ = std::clamp(distance_ / factor, kNearestEye, kFarthestEye);
}

Eigen::Matrix<double, 3, 4> Orbit::matrix() const {
  Eigen::Matrix3d lens;
  lens << focal_, 0, width_ / 2, 0, focal_, height_ / 2, 0, 0, 1;
  Eigen::Matrix<double, 3, 4> seen;
  seen << axes(), -axes() * eye();
  return lens * seen;
}

Orbit::Image Orbit::see(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d p = matrix() * point.homogeneous();
  return {p.x() / p.z(), p.y() / p.z(), p.z()};
}

std::optional<std::pair<Orbit::Image, Orbit::Image>> Orbit::seeLine(Eigen::Vector3d from,
                                                                    Eigen::Vector3d to) const {
  const Eigen::Vector3d forward = axes().row(2).transpose(), start = eye();
  double a = forward.dot(from - start), b = forward.dot(to - start);
  if (a <= nearest() && b <= nearest()) return std::nullopt;
  const auto cut = [&](Eigen::Vector3d& near, double depth, const Eigen::Vector3d& far,
                       double farDepth) {
    if (depth < nearest()) near += (far - near) * ((nearest() - depth) / (farDepth - depth));
  };
  cut(from, a, to, b);
  cut(to, b, from, std::max(a, nearest()));
  return std::pair(see(from), see(to));
}

}  // namespace glint::shell
