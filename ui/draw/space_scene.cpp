#include "ui/draw/space_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Dense>

namespace glint::ui {
namespace {

constexpr int kSquares = 5;   // squares of the floor, to each side
constexpr int kCorners = 28;  // corners of an ellipse
// Distance of a guessed floor below the place where the cameras look, as a share of the cameras'
// distance.
constexpr double kLevel = 0.3;
// First and last depth of a ray, as shares of the cameras' distance.
constexpr double kNearRay = 0.15, kFarRay = 4;
constexpr int kRaySteps = 96;

/// Returns the place, mm, where all cameras look: the point that is nearest to their axes by least
/// squares.
Eigen::Vector3d middleOf(const motion::SpaceRig& rig) {
  Eigen::Matrix3d sum = 1e-9 * Eigen::Matrix3d::Identity();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (size_t c = 0; c < rig.size(); ++c) {
    const Eigen::Vector3d axis = rig[c].rotation().row(2);
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - axis * axis.transpose();
    sum += across;
    right += across * rig[c].centre();
  }
  return sum.ldlt().solve(right);
}

/// Returns the matrix from pixels, counted from the image's corner, to the plane at depth 1.
/// Ignores distortion.
Eigen::Matrix3d unlens(const motion::Lens& lens) {
  Eigen::Matrix3d k;
  k << 1 / lens.fx, 0, -(lens.cx + 0.5) / lens.fx, 0, 1 / lens.fy, -(lens.cy + 0.5) / lens.fy, 0, 0,
      1;
  return k;
}

}  // namespace

Floor floorOf(const motion::SpaceRig& rig) {
  Eigen::Vector3d up = Eigen::Vector3d::Zero();
  for (size_t c = 0; c < rig.size(); ++c) up -= rig[c].rotation().row(1).transpose();
  Eigen::Index axis = 2;
  up.cwiseAbs().maxCoeff(&axis);
  const double sign = up[axis] < 0 ? -1 : 1;
  Floor floor{sign * Eigen::Vector3d::Unit(axis)};
  // If y points down, the world is the first camera's own, which knows no floor.
  if (sign < 0) floor.height = floor.up.dot(middleOf(rig)) - kLevel * rig.distance();
  return floor;
}

ImVec2 SpaceCanvas::at(const shell::Orbit::Image& image) const {
  // Keeps numbers within ImGui's range.
  const auto bounded = [](double v) { return static_cast<float>(std::clamp(v, -1e5, 1e5)); };
  return {place_.x + bounded(image.x), place_.y + bounded(image.y)};
}

void SpaceCanvas::line(const Eigen::Vector3d& from, const Eigen::Vector3d& to, ImU32 colour,
                       float thickness) const {
  if (const auto ends = orbit_.seeLine(from, to))
    list_.AddLine(at(ends->first), at(ends->second), colour, thickness);
}

double SpaceCanvas::floor(const Floor& floor, const Eigen::Vector3d& about) const {
  const double side = std::pow(10, std::floor(std::log10(orbit_.distance() / 3)));
  Eigen::Index least = 0;
  floor.up.cwiseAbs().minCoeff(&least);
  const Eigen::Vector3d x = Eigen::Vector3d::Unit(least), y = floor.up.cross(x);
  const double i = std::round(about.dot(x) / side), j = std::round(about.dot(y) / side);
  for (int k = -kSquares; k <= kSquares; ++k) {
    const Eigen::Vector3d up = floor.height * floor.up;
    const auto point = [&](double a, double b) -> Eigen::Vector3d {
      return up + side * ((i + a) * x + (j + b) * y);
    };
    const auto colour = [](bool axis) {
      return axis ? IM_COL32(110, 120, 136, 255) : IM_COL32(56, 62, 72, 255);
    };
    line(point(k, -kSquares), point(k, kSquares), colour(i + k == 0), 1);
    line(point(-kSquares, k), point(kSquares, k), colour(j + k == 0), 1);
  }
  return side;
}

std::array<Eigen::Vector3d, 4> imageCorners(const motion::SpaceCamera& camera, double depth) {
  const motion::RigCamera& own = camera.camera();
  const Eigen::Matrix3d back = depth * camera.rotation().transpose() * unlens(own.lens);
  std::array<Eigen::Vector3d, 4> corners;
  for (size_t i = 0; i < 4; ++i)
    corners[i] = camera.centre() + back * Eigen::Vector3d(i == 1 || i == 2 ? own.width : 0,
                                                          i > 1 ? own.height : 0, 1);
  return corners;
}

void SpaceCanvas::camera(const motion::SpaceCamera& camera, double length, ImU32 colour) const {
  const auto corners = imageCorners(camera, length);
  for (size_t i = 0; i < 4; ++i) {
    line(camera.centre(), corners[i], colour, unit());
    line(corners[i], corners[(i + 1) % 4], colour, unit());
  }
}

void SpaceCanvas::ellipsoid(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance,
                            double times, ImU32 colour) const {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(covariance);
  const Eigen::Matrix3d scaled =
      times * axes.eigenvectors() * axes.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d a = scaled.col(k), b = scaled.col((k + 1) % 3);
    Eigen::Vector3d before = at + a;
    for (int i = 1; i <= kCorners; ++i) {
      const double angle = 2 * std::numbers::pi * i / kCorners;
      const Eigen::Vector3d now = at + std::cos(angle) * a + std::sin(angle) * b;
      line(before, now, colour, unit());
      before = now;
    }
  }
}

std::optional<std::array<float, 9>> warpOf(const motion::SpaceCamera& camera, double depth,
                                           const shell::Orbit& orbit, const Rect& place,
                                           double scale) {
  for (const Eigen::Vector3d& corner : imageCorners(camera, depth))
    if (orbit.see(corner).depth <= orbit.nearest()) return std::nullopt;
  Eigen::Matrix3d plane = depth * camera.rotation().transpose() * unlens(camera.camera().lens);
  plane.col(2) += camera.centre();
  const Eigen::Matrix<double, 3, 4> seen = orbit.matrix();
  Eigen::Matrix3d toPlace = seen.leftCols<3>() * plane;
  toPlace.col(2) += seen.col(3);
  Eigen::Matrix3d toScreen;
  const double x = static_cast<double>(place.x), y = static_cast<double>(place.y);
  toScreen << scale, 0, scale * x, 0, scale, scale * y, 0, 0, 1;
  const Eigen::Matrix3d back = (toScreen * toPlace).inverse();
  if (!back.allFinite()) return std::nullopt;
  std::array<float, 9> warp;
  for (int i = 0; i < 9; ++i) warp[static_cast<size_t>(i)] = static_cast<float>(back(i / 3, i % 3));
  return warp;
}

std::vector<ImagePoint> rayInImage(const motion::SpaceRig& rig, size_t camera,
                                   const Eigen::Vector3d& origin,
                                   const Eigen::Vector3d& direction) {
  std::vector<ImagePoint> line;
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i <= kRaySteps; ++i) {
    const double depth =
        rig.distance() * kNearRay * std::pow(kFarRay / kNearRay, double(i) / kRaySteps);
    const auto image = rig[camera].see(origin + depth * direction);
    if (image)
      line.push_back({image->pixel.x(), image->pixel.y()});
    else if (!line.empty())
      line.push_back({none, none});
  }
  return line;
}

std::optional<uint64_t> pointAt(const motion::SpaceRig& rig,
                                const std::vector<motion::SpaceRow>& points, size_t camera,
                                ImagePoint at, double reach) {
  std::optional<uint64_t> nearest;
  for (const motion::SpaceRow& row : points) {
    if ((row.cameras >> camera & 1) == 0) continue;
    const auto image = rig[camera].see(row.at);
    if (!image) continue;
    const double away = std::hypot(image->pixel.x() - at.x, image->pixel.y() - at.y);
    if (away > reach) continue;
    reach = away;
    nearest = row.point;
  }
  return nearest;
}

}  // namespace glint::ui
