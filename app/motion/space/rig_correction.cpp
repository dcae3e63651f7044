#include "app/motion/space/rig_correction.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "app/base/quantile.h"
#include "app/motion/geometry/decomposition.h"
#include "app/motion/geometry/rotation.h"

namespace glint::motion {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// Returns the pose after a rotation (rad) and a shift (mm) in the camera's own frame.
Pose changed(const Pose& pose, const Vector6& change) {
  const Eigen::Matrix3d turn = rotationOf(change.head<3>());
  return {rodriguesOf(turn * pose.matrix()), turn * pose.translation + change.tail<3>()};
}

// Returns the derivative of the changed pose's numbers by rotation and shift.
Matrix6 numbersByChange(const Pose& pose) {
  Matrix6 by = Matrix6::Identity();
  by.topLeftCorner<3, 3>() = leftJacobian(pose.rotation).inverse();
  by.bottomLeftCorner<3, 3>() = -crossMatrix(pose.translation);
  return by;
}

// Returns the six numbers of a pose: rotation (rad), then translation (mm).
Vector6 numbersOf(const Pose& pose) {
  Vector6 numbers;
  numbers << pose.rotation, pose.translation;
  return numbers;
}

// Fits a camera's pose to the dots that it sees of points that other cameras locate.
class PoseFit {
 public:
  PoseFit(const RigCamera& camera, const CameraMove& move, const RigCorrectionOptions& options)
      : camera_(camera), options_(options), pose_(camera.pose) {
    for (const CameraOffset& offset : move.seen)
      if ((offset.by - move.by).norm() < options_.firstReach) seen_.push_back(offset);
  }

  bool solve() {
    for (int round = 0; round < options_.rounds; ++round) {
      if (seen_.size() < options_.minPoints) return false;
      step();
      if (round == options_.rounds / 2) keepFitting();
    }
    return true;
  }

  const Pose& pose() const { return pose_; }
  // Returns the covariance of the numbers of the pose.
  Matrix6 covariance() const {
    const Matrix6 by = numbersByChange(pose_);
    return by * inverseOf(information_) * by.transpose();
  }

 private:
  Eigen::Vector2d missOf(const CameraOffset& offset) const {
    return offset.pixel - project(camera_.lens, pose_, offset.point).pixel;
  }

  // Returns the noise of a coordinate (px), estimated from the median length of two normal
  // coordinates.
  double noise() const {
    std::vector<double> all;
    for (const CameraOffset& offset : seen_) all.push_back(missOf(offset).norm());
    return std::max(options_.minNoise,
                    base::medianOf(std::move(all)) / std::sqrt(2 * std::numbers::ln2));
  }

  void step() {
    const double sigma = noise();
    information_.setZero();
    information_.diagonal() << Eigen::Vector3d::Constant(1 / (options_.turn * options_.turn)),
        Eigen::Vector3d::Constant(1 / (options_.shift * options_.shift));
    Vector6 right = -information_ * change_;
    for (const CameraOffset& offset : seen_) {
      const Eigen::Vector3d own = pose_.apply(offset.point);
      Eigen::Matrix<double, 2, 3> bySeen;
      const Projection seen = projectSeen(camera_.lens, own, bySeen);
      const Eigen::Vector2d miss = offset.pixel - seen.pixel;
      Eigen::Matrix<double, 2, 6> slope;
      slope << -bySeen * crossMatrix(own), bySeen;
      const double weight = std::min(1.0, options_.huber * sigma / std::max(miss.norm(), 1e-9));
      information_ += weight / (sigma * sigma) * slope.transpose() * slope;
      right += weight / (sigma * sigma) * slope.transpose() * miss;
    }
    const Vector6 further = inverseOf(information_) * right;
    change_ += further;
    pose_ = changed(pose_, further);
  }

  void keepFitting() {
    const double reach = std::max(options_.minReach, options_.reach * noise());
    std::erase_if(seen_, [&](const CameraOffset& one) { return missOf(one).norm() > reach; });
  }

  const RigCamera& camera_;
  const RigCorrectionOptions& options_;
  Pose pose_;
  std::vector<CameraOffset> seen_;
  Vector6 change_ = Vector6::Zero();
  Matrix6 information_ = Matrix6::Zero();
};

}  // namespace

std::optional<RigCorrection> correctionOf(const SpaceRig& rig, const CameraMove& move,
                                          const RigCorrectionOptions& options) {
  const RigCamera& before = rig[move.camera].camera();
  PoseFit fit(before, move, options);
  if (!fit.solve()) return std::nullopt;
  RigCorrection result{.rig = rig.rig()};
  Pose& pose = result.rig.cameras[move.camera].pose;
  pose = fit.pose();
  result.degrees =
      rodriguesOf(pose.matrix() * before.pose.matrix().transpose()).norm() * 180 / std::numbers::pi;
  result.shift = (pose.centre() - before.pose.centre()).norm();
  if (!rig.hasCovariance()) return result;
  Eigen::MatrixXd full = fullCovariance(result.rig);
  const auto at = static_cast<Eigen::Index>(move.camera) * kCameraNumbers + Lens::kNumbers;
  const Vector6 change = numbersOf(pose) - numbersOf(before.pose);
  const Matrix6 allowed = full.block<6, 6>(at, at) + fit.covariance();
  result.beyond = change.dot(inverseOf(allowed) * change) > options.beyondChi2;
  full.middleRows<6>(at).setZero();
  full.middleCols<6>(at).setZero();
  full.block<6, 6>(at, at) = fit.covariance();
  setCovariance(result.rig, full);
  return result;
}

}  // namespace glint::motion
