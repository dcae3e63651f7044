#include "app/motion/calibrate/board_bundle.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <ceres/ceres.h>

#include "app/motion/calibrate/blocks.h"
#include "app/motion/calibrate/bundle_covariance.h"
#include "app/motion/geometry/rotation.h"

namespace glint::motion {
namespace {

/// Residual of a corner, px, and its derivatives by the lens, the camera's pose and the board's
/// place.
struct CornerEquation {
  Eigen::Vector2d residual;
  LensSlopes lens;
  Eigen::Matrix<double, 2, 6> pose, place;
};

/// Fills `e`. Returns false if the corner lies behind the camera.
bool cornerEquation(const Eigen::Vector2d& seen, const Eigen::Vector3d& corner, const Lens& lens,
                    const Pose& pose, const Pose& place, CornerEquation& e) {
  const Eigen::Vector3d at = place.apply(corner);
  ProjectionDerivatives d;
  const Projection p = project(lens, pose, at, &d);
  e.residual = p.pixel - seen;
  if (!(p.depth > 1e-3) || !e.residual.allFinite()) return false;
  e.lens = lensSlopes(lens, d);
  e.pose = d.pose;
  e.place << d.point * rotatedByVector(place.rotation, corner), d.point;
  return true;
}

class CornerCost : public ceres::SizedCostFunction<2, lensNumbers, 6, 6> {
 public:
  CornerCost(const Eigen::Vector2d& seen, const Eigen::Vector3d& corner, bool fisheye)
      : seen_(seen), corner_(corner), fisheye_(fisheye) {}

  bool Evaluate(double const* const* blocks, double* residuals, double** slopes) const override {
    CornerEquation e;
    if (!cornerEquation(seen_, corner_, lensOf(blocks[0], fisheye_), poseOf(blocks[1]),
                        poseOf(blocks[2]), e))
      return false;
    residuals[0] = e.residual.x();
    residuals[1] = e.residual.y();
    if (slopes == nullptr) return true;
    putBlock<lensNumbers>(slopes[0], e.lens);
    putBlock<6>(slopes[1], e.pose);
    putBlock<6>(slopes[2], e.place);
    return true;
  }

 private:
  Eigen::Vector2d seen_;
  Eigen::Vector3d corner_;
  bool fisheye_;
};

/// Residuals that pull a lens weakly to its prior, px: see BundleCamera::priorSigma.
class LensPriorCost : public ceres::SizedCostFunction<lensNumbers, lensNumbers> {
 public:
  LensPriorCost(const BundleCamera& camera, double sigma) : mean_(lensBlock(camera.prior)) {
    for (size_t n = 0; n < lensNumbers; ++n)
      weight_[n] = camera.priorSigma[n] > 0 ? sigma / camera.priorSigma[n] : 0;
  }

  bool Evaluate(double const* const* blocks, double* residuals, double** slopes) const override {
    for (size_t n = 0; n < lensNumbers; ++n) residuals[n] = weight_[n] * (blocks[0][n] - mean_[n]);
    if (slopes == nullptr || slopes[0] == nullptr) return true;
    Eigen::Map<Eigen::Matrix<double, lensNumbers, lensNumbers>> slope(slopes[0]);
    slope = Eigen::Map<const Eigen::Matrix<double, lensNumbers, 1>>(weight_.data()).asDiagonal();
    return true;
  }

 private:
  LensBlock mean_, weight_;
};

}  // namespace

std::optional<Eigen::Vector2d> residualOf(const BoardBundle& bundle, const BoardSight& sight,
                                          size_t corner) {
  const BundleCamera& camera = bundle.cameras[sight.camera];
  CornerEquation e;
  if (!cornerEquation(sight.corners[corner], bundle.board.corner(sight.which[corner]), camera.lens,
                      camera.pose, bundle.places[sight.place], e))
    return std::nullopt;
  return e.residual;
}

bool adjust(BoardBundle& bundle, double loss, double sigma) {
  std::vector<LensBlock> lenses;
  std::vector<PoseBlock> poses, places;
  for (const BundleCamera& c : bundle.cameras) {
    lenses.push_back(lensBlock(c.lens));
    poses.push_back(poseBlock(c.pose));
  }
  for (const Pose& place : bundle.places) places.push_back(poseBlock(place));
  ceres::HuberLoss huber(loss);
  ceres::Problem::Options options;
  options.loss_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  ceres::Problem problem(options);
  auto* order = new ceres::ParameterBlockOrdering;
  for (const BoardSight& s : bundle.sights) {
    for (size_t i = 0; i < s.corners.size(); ++i)
      problem.AddResidualBlock(new CornerCost(s.corners[i], bundle.board.corner(s.which[i]),
                                              bundle.cameras[s.camera].lens.fisheye),
                               &huber, lenses[s.camera].data(), poses[s.camera].data(),
                               places[s.place].data());
    order->AddElementToGroup(places[s.place].data(), 0);
    order->AddElementToGroup(lenses[s.camera].data(), 1);
    order->AddElementToGroup(poses[s.camera].data(), 1);
  }
  for (size_t c = 0; c < lenses.size(); ++c) {
    if (!problem.HasParameterBlock(lenses[c].data())) continue;
    problem.AddResidualBlock(new LensPriorCost(bundle.cameras[c], sigma), nullptr,
                             lenses[c].data());
    holdLens(problem, lenses[c].data(), bundle.cameras[c].free);
    if (!bundle.cameras[c].freePose) problem.SetParameterBlockConstant(poses[c].data());
  }
  if (!std::isfinite(solveBundle(problem, order, 50))) return false;
  for (size_t c = 0; c < lenses.size(); ++c) {
    BundleCamera& camera = bundle.cameras[c];
    camera.lens = lensOf(lenses[c].data(), camera.lens.fisheye);
    camera.pose = poseOf(poses[c].data());
  }
  for (size_t p = 0; p < places.size(); ++p) bundle.places[p] = poseOf(places[p].data());
  return true;
}

std::optional<Eigen::MatrixXd> covarianceOf(const BoardBundle& bundle, double sigma) {
  const auto size = static_cast<Eigen::Index>(bundle.cameras.size()) * kBundleNumbers;
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(size, size);
  std::vector<Eigen::Matrix<double, 6, 6>> own(bundle.places.size(),
                                               Eigen::Matrix<double, 6, 6>::Zero());
  std::vector<Eigen::MatrixXd> mixed(bundle.places.size(), Eigen::MatrixXd::Zero(6, size));
  for (const BoardSight& s : bundle.sights) {
    const BundleCamera& camera = bundle.cameras[s.camera];
    const auto first = static_cast<Eigen::Index>(s.camera) * kBundleNumbers;
    for (size_t i = 0; i < s.corners.size(); ++i) {
      CornerEquation e;
      if (!cornerEquation(s.corners[i], bundle.board.corner(s.which[i]), camera.lens, camera.pose,
                          bundle.places[s.place], e))
        continue;
      Eigen::Matrix<double, 2, kBundleNumbers> slope;
      slope << e.lens / sigma, e.pose / sigma, Eigen::Matrix2d::Zero();
      e.place /= sigma;
      whole.block<kBundleNumbers, kBundleNumbers>(first, first) += slope.transpose() * slope;
      own[s.place] += e.place.transpose() * e.place;
      mixed[s.place].middleCols<kBundleNumbers>(first) += e.place.transpose() * slope;
    }
  }
  for (size_t p = 0; p < own.size(); ++p)
    whole -= mixed[p].transpose() * own[p].ldlt().solve(mixed[p]);
  addPriors(bundle.cameras, whole);
  return inverseOfFree(bundle.cameras, whole);
}

}  // namespace glint::motion
