#include "app/motion/space/rig_correction.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "app/base/quantile.h"
#include "app/motion/geometry/rotation.h"

namespace glint::motion {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

constexpr double kTurn = std::numbers::pi / 180, kShift = 10;  // rad, mm: standard deviations
constexpr double kFirstReach = 4;                              // px, of the common offset
constexpr double kReach = 3, kLeastReach = 0.5;                // deviations, px: of those that fit
constexpr double kLeastNoise = 0.05;                           // px
constexpr size_t kLeastPoints = 40;
constexpr int kRounds = 12;

/// What a turn (rad) and a shift (mm) in the camera's own frame, after the pose, make of it.
Pose changed(const Pose& pose, const Vector6& change) {
  const Eigen::Matrix3d turn = rotationOf(change.head<3>());
  return {rodriguesOf(turn * pose.matrix()), turn * pose.translation + change.tail<3>()};
}

/// The numbers of the changed pose by turn and shift.
Matrix6 numbersByChange(const Pose& pose) {
  Matrix6 by = Matrix6::Identity();
  by.topLeftCorner<3, 3>() = leftJacobian(pose.rotation).inverse();
  by.bottomLeftCorner<3, 3>() = -crossMatrix(pose.translation);
  return by;
}

Vector6 numbersOf(const Pose& pose) {
  Vector6 numbers;
  numbers << pose.rotation, pose.translation;
  return numbers;
}

class PoseFit {
 public:
  PoseFit(const RigCamera& camera, const CameraMove& move) : camera_(camera), pose_(camera.pose) {
    for (const CameraOffset& offset : move.seen)
      if ((offset.by - move.by).norm() < kFirstReach) seen_.push_back(offset);
  }

  bool solve() {
    for (int round = 0; round < kRounds; ++round) {
      if (seen_.size() < kLeastPoints) return false;
      step();
      if (round == kRounds / 2) keepFitting();
    }
    return true;
  }

  const Pose& pose() const { return pose_; }
  /// Of the numbers of the pose.
  Matrix6 covariance() const {
    const Matrix6 by = numbersByChange(pose_);
    return by * information_.inverse() * by.transpose();
  }

 private:
  Eigen::Vector2d missOf(const CameraOffset& offset) const {
    return offset.pixel - project(camera_.lens, pose_, offset.point).pixel;
  }

  /// px, of a coordinate: by the median distance, as two normal coordinates have it.
  double noise() const {
    std::vector<double> all;
    for (const CameraOffset& offset : seen_) all.push_back(missOf(offset).norm());
    return std::max(kLeastNoise, base::medianOf(std::move(all)) / std::sqrt(2 * std::numbers::ln2));
  }

  void step() {
    const double sigma = noise();
    information_.setZero();
    information_.diagonal() << Eigen::Vector3d::Constant(1 / (kTurn * kTurn)),
        Eigen::Vector3d::Constant(1 / (kShift * kShift));
    Vector6 right = -information_ * change_;
    for (const CameraOffset& offset : seen_) {
      const Eigen::Vector3d own = pose_.apply(offset.point);
      Eigen::Matrix<double, 2, 3> bySeen;
      const Projection seen = projectSeen(camera_.lens, own, bySeen);
      const Eigen::Vector2d miss = offset.pixel - seen.pixel;
      Eigen::Matrix<double, 2, 6> slope;
      slope << -bySeen * crossMatrix(own), bySeen;
      constexpr double kHuber = 1.5;
      const double weight = std::min(1.0, kHuber * sigma / std::max(miss.norm(), 1e-9));
      information_ += weight / (sigma * sigma) * slope.transpose() * slope;
      right += weight / (sigma * sigma) * slope.transpose() * miss;
    }
    const Vector6 further = information_.inverse() * right;
    change_ += further;
    pose_ = changed(pose_, further);
  }

  void keepFitting() {
    const double reach = std::max(kLeastReach, kReach * noise());
    std::erase_if(seen_, [&](const CameraOffset& one) { return missOf(one).norm() > reach; });
  }

  const RigCamera& camera_;
  Pose pose_;
  std::vector<CameraOffset> seen_;
  Vector6 change_ = Vector6::Zero();
  Matrix6 information_ = Matrix6::Zero();
};

}  // namespace

std::optional<RigCorrection> correctionOf(const SpaceRig& rig, const CameraMove& move) {
  const RigCamera& before = rig[move.camera].camera();
  PoseFit fit(before, move);
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
  constexpr double kLimit = 22.458;  // chi squared of six degrees of freedom, 99.9 %
  const Matrix6 allowed = full.block<6, 6>(at, at) + fit.covariance();
  result.beyond = change.dot(allowed.inverse() * change) > kLimit;
  full.middleRows<6>(at).setZero();
  full.middleCols<6>(at).setZero();
  full.block<6, 6>(at, at) = fit.covariance();
  setCovariance(result.rig, full);
  return result;
}

}  // namespace glint::motion
