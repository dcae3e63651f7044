#include "app/motion/space/estimate.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace glint::motion {

std::optional<Estimate> estimate(const SpaceRig& rig, std::span<const Sight> sights,
                                 const Eigen::Vector3d& start) {
  // Maximum number of steps. Raising it takes longer for dots that do not fit together.
  constexpr int kMostSteps = 12;
  // The steps end when the square of the last one's length, in units of the point's own
  // uncertainty, is below this: a hundredth of it. Lowering it takes longer.
  constexpr double kClose = 1e-4;
  // Ratio of the determinant to the cube of the trace below which rays count as parallel. Raising
  // it rejects more points.
  constexpr double kParallel = 1e-14;
  if (sights.size() < 2) return std::nullopt;
  Eigen::Vector3d at = start;
  for (int step = 0; step < kMostSteps; ++step) {
    Eigen::Matrix3d matrix = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    double chi2 = 0, squares = 0;
    for (const Sight& sight : sights) {
      const auto seen = rig[sight.camera].see(at + sight.shift);
      if (!seen) return std::nullopt;
      const Eigen::Vector2d off = sight.pixel - seen->pixel;
      for (int k = 0; k < 2; ++k) {
        const double weight = 1 / sight.total[k];
        const Eigen::Vector3d slope = seen->slope.row(k);
        matrix.noalias() += (weight * slope) * slope.transpose();
        right += (weight * off[k]) * slope;
        chi2 += weight * off[k] * off[k];
      }
      squares += off.squaredNorm();
    }
    const double trace = matrix.trace();
    if (!(matrix.determinant() > kParallel * trace * trace * trace)) return std::nullopt;
    const Eigen::Matrix3d covariance = matrix.inverse();
    const Eigen::Vector3d change = covariance * right;
    at += change;
    if (!at.allFinite()) return std::nullopt;
    const double gain = change.dot(right);
    if (gain > kClose) continue;
    return Estimate{at, covariance, std::max(0.0, chi2 - gain),
                    std::sqrt(squares / static_cast<double>(sights.size()))};
  }
  return std::nullopt;
}

double chi2Of(const SpaceRig& rig, const Sight& sight, const Eigen::Vector3d& at) {
  const auto seen = rig[sight.camera].see(at + sight.shift);
  if (!seen) return std::numeric_limits<double>::infinity();
  return (sight.pixel - seen->pixel).cwiseAbs2().cwiseQuotient(sight.total).sum();
}

StatedCovariance statedCovariance(const SpaceRig& rig, const NoiseFloor& floor,
                                  std::span<const Sight> sights, const Estimate& estimate,
                                  bool withRig) {
  StatedCovariance stated{Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero()};
  std::vector<SpaceRig::PixelSlope<3>> slopes;
  for (const Sight& sight : sights) {
    const auto seen = rig[sight.camera].see(estimate.at + sight.shift);
    if (!seen) continue;
    const Eigen::Matrix<double, 3, 2> byPixel =
        estimate.covariance * seen->slope.transpose() * sight.total.cwiseInverse().asDiagonal();
    const Eigen::Vector2d noise =
        sight.variance + Eigen::Vector2d::Constant(floor.variance(sight.camera));
    stated.images += byPixel * noise.asDiagonal() * byPixel.transpose();
    slopes.push_back({sight.camera, estimate.at, -byPixel});
  }
  if (withRig) stated.rig = rig.covarianceByRig<3>(slopes);
  return stated;
}

void teach(NoiseFloor& floor, const SpaceRig& rig, std::span<const Sight> sights,
           const Estimate& estimate) {
  if (sights.size() == 2 && rig.size() == 2 && rig.hasCovariance()) {
    // Two rays leave one degree of freedom. Its chi squared is converted to the value with the same
    // probability for two degrees of freedom.
    const double chi2 = -2 * std::log(std::erfc(std::sqrt(estimate.chi2 / 2)));
    for (const Sight& sight : sights)
      if (std::isfinite(chi2))
        floor.add(sight.camera, chi2, sight.total.mean() - floor.variance(sight.camera));
  }
  if (sights.size() < 3) return;
  for (const Sight& sight : sights) {
    const auto seen = rig[sight.camera].see(estimate.at + sight.shift);
    if (!seen) continue;
    Eigen::Matrix2d expected = -seen->slope * estimate.covariance * seen->slope.transpose();
    expected.diagonal() += sight.total;
    const Eigen::Vector2d off = sight.pixel - seen->pixel;
    floor.add(sight.camera, off.dot(expected.inverse() * off),
              sight.total.mean() - floor.variance(sight.camera));
  }
}

}  // namespace glint::motion
