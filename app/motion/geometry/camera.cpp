#include "app/motion/geometry/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include "app/motion/geometry/rotation.h"

namespace glint::motion {
namespace {

/// The distorted image of (a, b), and its derivative by (a, b).
struct Distorted {
  Eigen::Vector2d at;
  Eigen::Matrix2d byPlace;
};

/// The distance from the centre at which a fisheye shows an angle from its axis, in focal lengths,
/// and its derivative by the angle.
struct Bent {
  double radius, slope;
};

Bent bend(const Lens& l, double angle) {
  const double t = angle * angle;
  return {angle * (1 + t * (l.k1 + t * (l.k2 + t * (l.p1 + t * l.p2)))),
          1 + t * (3 * l.k1 + t * (5 * l.k2 + t * (7 * l.p1 + t * 9 * l.p2)))};
}

Distorted distortFisheye(const Lens& l, double a, double b) {
  // Below this radius, the first terms of the series are exact.
  constexpr double kSmall = 1e-4;
  const double s = a * a + b * b, r = std::sqrt(s);
  double scale = 1 + (l.k1 - 1.0 / 3) * s, bySquare = 2 * (l.k1 - 1.0 / 3);
  if (r > kSmall) {
    const Bent bent = bend(l, std::atan(r));
    scale = bent.radius / r;
    bySquare = (bent.slope / (1 + s) - scale) / s;
  }
  Distorted d;
  d.at = {a * scale, b * scale};
  d.byPlace << scale + bySquare * a * a, bySquare * a * b, bySquare * a * b,
      scale + bySquare * b * b;
  return d;
}

Distorted distort(const Lens& l, double a, double b) {
  if (l.fisheye) return distortFisheye(l, a, b);
  const double s = a * a + b * b;
  const double radial = 1 + s * (l.k1 + s * (l.k2 + s * l.k3));
  // Derivative of `radial` by `s`.
  const double slope = l.k1 + s * (2 * l.k2 + 3 * s * l.k3);
  Distorted d;
  d.at = {a * radial + 2 * l.p1 * a * b + l.p2 * (s + 2 * a * a),
          b * radial + l.p1 * (s + 2 * b * b) + 2 * l.p2 * a * b};
  const double mixed = 2 * a * b * slope + 2 * l.p1 * a + 2 * l.p2 * b;
  d.byPlace << radial + 2 * a * a * slope + 2 * l.p1 * b + 6 * l.p2 * a, mixed, mixed,
      radial + 2 * b * b * slope + 6 * l.p1 * b + 2 * l.p2 * a;
  return d;
}

/// Returns the derivative of the pixel by a point in the camera's frame.
Eigen::Matrix<double, 2, 3> pixelBySeen(const Lens& lens, const Distorted& d,
                                        const Eigen::Vector3d& seen) {
  const double a = seen.x() / seen.z(), b = seen.y() / seen.z();
  Eigen::Matrix<double, 2, 3> bySeen;
  bySeen << 1 / seen.z(), 0, -a / seen.z(), 0, 1 / seen.z(), -b / seen.z();
  return Eigen::Vector2d(lens.fx, lens.fy).asDiagonal() * (d.byPlace * bySeen).eval();
}

/// Returns the derivatives of a fisheye's pixel by its four coefficients and by k3, which it does
/// not have.
Eigen::Matrix<double, 2, 5> pixelByBending(const Lens& lens, double a, double b) {
  const double r = std::hypot(a, b), angle = std::atan(r), t = angle * angle;
  // The limit of angle / r in the centre is 1.
  const double first = r > 0 ? t * angle / r : 0;
  const Eigen::Vector2d along(lens.fx * a, lens.fy * b);
  Eigen::Matrix<double, 2, 5> by;
  by << first * along, first * t * along, first * t * t * along, first * t * t * t * along,
      Eigen::Vector2d::Zero();
  return by;
}

/// Returns the (a, b) that a fisheye shows at `wanted`, in focal lengths from the centre.
std::optional<Eigen::Vector2d> unbend(const Lens& lens, const Eigen::Vector2d& wanted) {
  // The largest angle from the axis, rad: 88 degrees. Beyond, tangents are too large to be useful.
  constexpr double kMost = 1.536;
  constexpr int kMostSteps = 30;
  constexpr double kClose = 1e-13;
  const double radius = wanted.norm();
  if (radius == 0) return Eigen::Vector2d(0, 0);
  double angle = std::min(radius, kMost);
  for (int step = 0; step < kMostSteps; ++step) {
    const Bent bent = bend(lens, angle);
    if (!(bent.slope > 0)) {
      if (step > 0) return std::nullopt;
      angle *= 0.5;
      continue;
    }
    const double change = (radius - bent.radius) / bent.slope;
    angle += change;
    if (!(angle > 0 && angle < 2 * kMost)) return std::nullopt;
    if (std::abs(change) < kClose) {
      if (angle > kMost) return std::nullopt;
      return Eigen::Vector2d(wanted * (std::tan(angle) / radius));
    }
  }
  return std::nullopt;
}

}  // namespace

Lens::Numbers Lens::numbers() const {
  Numbers n;
  n << fx, fy, cx, cy, k1, k2, p1, p2, k3;
  return n;
}

Lens Lens::of(const Numbers& n, bool fisheye) {
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], fisheye};
}

Eigen::Matrix3d Pose::matrix() const {
  return rotationOf(rotation);
}

Eigen::Vector3d Pose::apply(const Eigen::Vector3d& point) const {
  return matrix() * point + translation;
}

Eigen::Vector3d Pose::centre() const {
  return -(matrix().transpose() * translation);
}

Pose Pose::inverse() const {
  return {-rotation, centre()};
}

Pose then(const Pose& first, const Pose& second) {
  return {rodriguesOf(second.matrix() * first.matrix()), second.apply(first.translation)};
}

Projection project(const Lens& lens, const Pose& pose, const Eigen::Vector3d& point,
                   ProjectionDerivatives* derivatives) {
  const Eigen::Matrix3d rotation = pose.matrix();
  const Eigen::Vector3d seen = rotation * point + pose.translation;
  const double a = seen.x() / seen.z(), b = seen.y() / seen.z();
  const Distorted d = distort(lens, a, b);
  const Eigen::Vector2d pixel(lens.cx + lens.fx * d.at.x(), lens.cy + lens.fy * d.at.y());
  if (derivatives == nullptr) return {pixel, seen.z()};

  const double s = a * a + b * b;
  derivatives->lens << d.at.x(), 0, 1, 0, lens.fx * a * s, lens.fx * a * s * s, lens.fx * 2 * a * b,
      lens.fx * (s + 2 * a * a), lens.fx * a * s * s * s,  //
      0, d.at.y(), 0, 1, lens.fy * b * s, lens.fy * b * s * s, lens.fy * (s + 2 * b * b),
      lens.fy * 2 * a * b, lens.fy * b * s * s * s;
  if (lens.fisheye) derivatives->lens.rightCols<5>() = pixelByBending(lens, a, b);
  const Eigen::Matrix<double, 2, 3> bySeen = pixelBySeen(lens, d, seen);
  derivatives->point = bySeen * rotation;
  derivatives->pose.leftCols<3>() = bySeen * rotatedByVector(pose.rotation, point);
  derivatives->pose.rightCols<3>() = bySeen;
  return {pixel, seen.z()};
}

Projection projectSeen(const Lens& lens, const Eigen::Vector3d& seen,
                       Eigen::Matrix<double, 2, 3>& bySeen) {
  const Distorted d = distort(lens, seen.x() / seen.z(), seen.y() / seen.z());
  bySeen = pixelBySeen(lens, d, seen);
  return {{lens.cx + lens.fx * d.at.x(), lens.cy + lens.fy * d.at.y()}, seen.z()};
}

std::optional<Eigen::Vector2d> undistort(const Lens& lens, const Eigen::Vector2d& pixel) {
  // Maximum number of steps of Newton's method.
  constexpr int kMostSteps = 30;
  // Newton's method ends when a step is shorter than this, in focal lengths.
  constexpr double kClose = 1e-12;
  const Eigen::Vector2d wanted((pixel.x() - lens.cx) / lens.fx, (pixel.y() - lens.cy) / lens.fy);
  if (lens.fisheye) return unbend(lens, wanted);
  Eigen::Vector2d at = wanted;
  for (int step = 0; step < kMostSteps; ++step) {
    const Distorted d = distort(lens, at.x(), at.y());
    // Here the derivative turns negative: the distortion has folded the image back.
    if (!(d.byPlace.determinant() > 0 && d.byPlace.trace() > 0)) {
      if (step > 0) return std::nullopt;
      // The start lay beyond the fold. Points that have an image are nearer to the centre.
      at *= 0.5;
      continue;
    }
    const Eigen::Vector2d change = d.byPlace.inverse() * (wanted - d.at);
    at += change;
    if (!at.allFinite()) return std::nullopt;
    if (change.squaredNorm() < kClose * kClose * (1 + at.squaredNorm())) return at;
  }
  return std::nullopt;
}

bool isOneToOne(const Lens& lens, int width, int height) {
  // Number of steps in which the walk reaches twice the radius of the image's corner. Raising it
  // takes smaller steps, and misses fewer folds.
  constexpr int kSteps = 64;
  const double right = std::max(lens.cx, width - 1 - lens.cx) / lens.fx;
  const double down = std::max(lens.cy, height - 1 - lens.cy) / lens.fy;
  const double corner = std::hypot(right, down);
  if (lens.fisheye) {
    for (int i = 0; i <= kSteps; ++i)
      if (!(bend(lens, std::numbers::pi / 2 * i / kSteps).slope > 0))
        return bend(lens, std::numbers::pi / 2 * (i - 1) / kSteps).radius > corner;
    return true;
  }
  double radius = 0, distorted = 0;
  // Walks outwards until the distorted radius reaches the corner of the image. With pincushion
  // distortion that happens at a smaller undistorted radius.
  for (int i = 1; distorted < corner; ++i) {
    radius = 2 * corner * i / kSteps;
    const double s = radius * radius;
    const double slope = 1 + s * (3 * lens.k1 + s * (5 * lens.k2 + s * 7 * lens.k3));
    if (!(slope > 0) || i > 4 * kSteps) return false;
    distorted = radius * (1 + s * (lens.k1 + s * (lens.k2 + s * lens.k3)));
  }
  return true;
}

std::optional<Ray> rayOf(const RigCamera& camera, const Eigen::Vector2d& pixel) {
  const auto at = undistort(camera.lens, pixel);
  if (!at) return std::nullopt;
  const Eigen::Matrix3d back = camera.pose.matrix().transpose();
  return Ray{-(back * camera.pose.translation),
             (back * Eigen::Vector3d(at->x(), at->y(), 1)).normalized()};
}

}  // namespace glint::motion
