#include "app/motion/calibrate/volume.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "app/base/quantile.h"
#include "app/motion/geometry/rotation.h"
#include "app/motion/geometry/triangulate.h"

namespace glint::motion {
namespace {

/// A cell that at least two cameras see.
struct SeenCell {
  size_t slice, cell;
  SpacePoint point;
  Eigen::Matrix<double, 3, Eigen::Dynamic> byRig;
};

/// Triangulates a light at `place` from all cameras that see it. Returns nothing if that fails.
std::optional<SeenCell> seenCell(const Calibration& calibration, const Eigen::Vector3d& place) {
  const Rig& rig = calibration.rig;
  std::vector<Sighting> sightings;
  for (size_t c = 0; c < rig.cameras.size(); ++c) {
    const RigCamera& camera = rig.cameras[c];
    const Projection p = project(camera.lens, camera.pose, place);
    if (p.depth > 0 && p.pixel.x() > 0 && p.pixel.x() < camera.width && p.pixel.y() > 0 &&
        p.pixel.y() < camera.height)
      sightings.push_back({c, p.pixel, Eigen::Vector2d::Constant(calibration.dotSigma)});
  }
  const auto point = triangulate(rig, sightings);
  if (!point) return std::nullopt;
  return SeenCell{0, 0, *point, byRig(rig, sightings, *point)};
}

/// Returns a matrix R with R R^T equal to the rig's covariance, which may be singular.
Eigen::MatrixXd rootOf(const Eigen::MatrixXd& covariance) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
}

/// Returns the standard deviations of the cells: see VolumeMap.
std::vector<double> relativeSigmas(const std::vector<SeenCell>& cells, const Rig& rig) {
  const Eigen::MatrixXd root = rootOf(fullCovariance(rig));
  const auto rows = 3 * static_cast<Eigen::Index>(cells.size());
  Eigen::MatrixXd moves(rows, root.cols()), rigid(rows, 6);
  for (Eigen::Index i = 0; i < rows / 3; ++i) {
    const SeenCell& cell = cells[static_cast<size_t>(i)];
    moves.middleRows<3>(3 * i) = cell.byRig * root;
    rigid.middleRows<3>(3 * i) << -crossMatrix(cell.point.at), Eigen::Matrix3d::Identity();
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(rigid);
  moves -= rigid * solver.solve(moves).eval();
  std::vector<double> sigmas;
  for (Eigen::Index i = 0; i < rows / 3; ++i) {
    const auto own = moves.middleRows<3>(3 * i);
    const Eigen::Matrix3d covariance =
        cells[static_cast<size_t>(i)].point.covariance + own * own.transpose();
    sigmas.push_back(
        std::sqrt(covariance.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff()));
  }
  return sigmas;
}

}  // namespace

std::optional<VolumeMap> mapVolume(const Calibration& calibration) {
  // Share of the lights that may lie outside the box on either side of an axis. Raising it makes
  // the box smaller.
  constexpr double kOutside = 0.01;
  // Minimum number of cells that are needed to determine their common motion. Raising it gives
  // fewer maps.
  constexpr size_t kLeast = 8;
  if (calibration.lights.empty()) return std::nullopt;
  VolumeMap map;
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    std::vector<double> places;
    for (const Eigen::Vector3d& light : calibration.lights) places.push_back(light[axis]);
    map.low[axis] = base::quantileOf(places, kOutside);
    map.high[axis] = base::quantileOf(places, 1 - kOutside);
  }
  const auto middle = [&](size_t cell, size_t cells, Eigen::Index axis) {
    const double share = (static_cast<double>(cell) + 0.5) / static_cast<double>(cells);
    return map.low[axis] + share * (map.high[axis] - map.low[axis]);
  };
  std::vector<SeenCell> seen;
  for (size_t slice = 0; slice < map.sigmas.size(); ++slice) {
    map.heights[slice] = middle(slice, map.sigmas.size(), 2);
    map.sigmas[slice].resize(VolumeMap::kCells * VolumeMap::kCells);
    for (size_t cell = 0; cell < map.sigmas[slice].size(); ++cell) {
      auto one = seenCell(calibration, {middle(cell % VolumeMap::kCells, VolumeMap::kCells, 0),
                                        middle(cell / VolumeMap::kCells, VolumeMap::kCells, 1),
                                        map.heights[slice]});
      if (!one) continue;
      one->slice = slice;
      one->cell = cell;
      seen.push_back(std::move(*one));
    }
  }
  if (seen.size() < kLeast) return std::nullopt;
  std::vector<double> sigmas = relativeSigmas(seen, calibration.rig);
  for (size_t i = 0; i < seen.size(); ++i) map.sigmas[seen[i].slice][seen[i].cell] = sigmas[i];
  map.best = base::quantileOf(sigmas, 0.05);
  map.middle = base::quantileOf(sigmas, 0.5);
  map.worst = base::quantileOf(sigmas, 0.95);
  return map;
}

}  // namespace glint::motion
