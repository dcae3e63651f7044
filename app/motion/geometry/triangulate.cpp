#include "app/motion/geometry/triangulate.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace glint::motion {
namespace {

/// Returns the point with the smallest summed squared distance from the rays, or nothing if they
/// are almost parallel.
std::optional<Eigen::Vector3d> midway(const Rig& rig, std::span<const Sighting> sightings) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (const Sighting& s : sightings) {
    const auto ray = rayOf(rig.cameras[s.camera], s.pixel);
    if (!ray) return std::nullopt;
    const Eigen::Matrix3d across =
        Eigen::Matrix3d::Identity() - ray->direction * ray->direction.transpose();
    sum += across;
    right += across * ray->origin;
  }
  // The smallest eigenvalue of `sum` is the sum of the squared sines between the rays and their
  // mean direction. The determinant is small if that sum is. Below this limit the rays count as
  // parallel. Raising it rejects more points that are seen from nearly one direction.
  constexpr double kParallel = 1e-8;
  const Eigen::LDLT<Eigen::Matrix3d> solver(sum);
  if (!(sum.determinant() > kParallel)) return std::nullopt;
  return solver.solve(right);
}

/// Normal equations of a Gauss-Newton step for one point, and its chi2. add() returns false if the
/// point lies behind the camera.
struct Normal {
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  double chi2 = 0;

  bool add(const RigCamera& camera, const Sighting& s, const Eigen::Vector3d& at) {
    ProjectionDerivatives d;
    const Projection p = project(camera.lens, camera.pose, at, &d);
    const Eigen::Vector2d weight = s.sigma.cwiseInverse();
    const Eigen::Vector2d residual = weight.asDiagonal() * (s.pixel - p.pixel);
    const Eigen::Matrix<double, 2, 3> slope = weight.asDiagonal() * d.point;
    matrix += slope.transpose() * slope;
    right += slope.transpose() * residual;
    chi2 += residual.squaredNorm();
    return p.depth > 0;
  }
};

}  // namespace

std::optional<SpacePoint> triangulate(const Rig& rig, std::span<const Sighting> sightings) {
  // Maximum number of steps. Raising it takes longer for sightings that do not fit together.
  constexpr int kMostSteps = 20;
  if (sightings.size() < 2) return std::nullopt;
  auto at = midway(rig, sightings);
  if (!at) return std::nullopt;
  for (int step = 0; step < kMostSteps; ++step) {
    Normal normal;
    for (const Sighting& s : sightings)
      if (!normal.add(rig.cameras[s.camera], s, *at)) return std::nullopt;
    const Eigen::LLT<Eigen::Matrix3d> solver(normal.matrix);
    if (solver.info() != Eigen::Success) return std::nullopt;
    const Eigen::Vector3d change = solver.solve(normal.right);
    *at += change;
    if (!at->allFinite()) return std::nullopt;
    // Steps shorter than a thousandth of the point's own uncertainty no longer matter.
    if (change.dot(normal.matrix * change) > 1e-6) continue;
    return SpacePoint{*at, solver.solve(Eigen::Matrix3d::Identity()),
                      normal.chi2 - change.dot(normal.right)};
  }
  return std::nullopt;
}

Eigen::Matrix<double, 3, Eigen::Dynamic> byRig(const Rig& rig, std::span<const Sighting> sightings,
                                               const SpacePoint& point) {
  Eigen::Matrix<double, 3, Eigen::Dynamic> slope = Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(
      3, static_cast<Eigen::Index>(rig.cameras.size()) * kCameraNumbers);
  for (const Sighting& s : sightings) {
    const RigCamera& camera = rig.cameras[s.camera];
    ProjectionDerivatives d;
    project(camera.lens, camera.pose, point.at, &d);
    const Eigen::Matrix<double, 3, 2> back =
        point.covariance * d.point.transpose() * s.sigma.cwiseAbs2().cwiseInverse().asDiagonal();
    const auto first = static_cast<Eigen::Index>(s.camera) * kCameraNumbers;
    slope.middleCols<Lens::kNumbers>(first) -= back * d.lens;
    slope.middleCols<6>(first + Lens::kNumbers) -= back * d.pose;
  }
  return slope;
}

}  // namespace glint::motion
