// The motion of a rigid body: a reference point and the rotation, both with constant acceleration.
#pragma once

#include "app/motion/space/body_fit.h"
#include "app/motion/space/body_options.h"
#include "app/motion/space/point_filter.h"

namespace glint::motion {

/// A Kalman filter of a reference point of the body (mm) and of its rotation (rad, about the
/// world's axes, relative to the last estimate), with their velocities and accelerations; see
/// PointFilter. The power of the random jerk of each is learned. The reference point should be one
/// that is visible, so that an uncertain rotation does not make its position uncertain.
class BodyMotion {
 public:
  /// Starts at a measured pose. The reference point is the mean of the markers.
  explicit BodyMotion(const BodyPlace& first, const BodyMotionOptions& options = {});

  /// Changes the reference point to `point`, relative to the mean of the markers in the body's axes
  /// (mm).
  void refer(const Eigen::Vector3d& point);
  const Eigen::Vector3d& point() const { return point_; }

  /// Predicts the pose after `dt` (s).
  void predict(double dt);
  /// Corrects the state by a measured pose. Its covariance must be that of the noise of one set.
  void update(const BodyPlace& measured);
  /// Replaces the pose by one that was fitted with this filter's prediction as its prior.
  /// Velocities and accelerations are corrected as far as they are correlated with the pose.
  void replace(const BodyPlace& place);

  /// Returns the pose of the body about its reference point.
  BodyPlace place() const;

 private:
  Vector6 offTo(const BodyPlace& place) const;
  void turnBy();

  Eigen::Matrix<double, 18, 1> state_ = Eigen::Matrix<double, 18, 1>::Zero();
  Eigen::Matrix<double, 18, 18> covariance_ = Eigen::Matrix<double, 18, 18>::Zero();
  LearnedJerk middleJerk_, turnJerk_;
  Eigen::Vector3d point_{0, 0, 0};
  // The rotation in the state is relative to this one.
  Eigen::Matrix3d rotation_;
  int knownPlaces_;
  // Number of poses so far.
  int taken_ = 1;
};

}  // namespace glint::motion
