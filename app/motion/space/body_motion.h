// The motion of a rigid body: constant acceleration of one of its points and of its turning.
#pragma once

#include "app/motion/space/body_fit.h"
#include "app/motion/space/body_options.h"
#include "app/motion/space/point_filter.h"

namespace glint::motion {

/// A Kalman filter of a point of the body (mm), of its rotation (rad, about the world's axes,
/// relative to the last estimate), and of their velocities and accelerations; see PointFilter. The
/// jerk of each is learnt. The point should be one that is visible, so that an uncertain rotation
/// does not make its place uncertain.
class BodyMotion {
 public:
  /// Begins at a place, with the mean of the markers as its point.
  explicit BodyMotion(const BodyPlace& first, const BodyMotionOptions& options = {});

  /// Changes the point to the one at `point` from the mean of the markers, in the body's axes (mm).
  void refer(const Eigen::Vector3d& point);
  const Eigen::Vector3d& point() const { return point_; }

  /// Predicts the place after `dt` (s).
  void predict(double dt);
  /// Takes a measured place. Its covariance must be that of the noise of one set.
  void update(const BodyPlace& measured);
  /// Takes a place that was fitted with the prediction's help. Velocities and accelerations follow
  /// as far as they are correlated with it.
  void replace(const BodyPlace& place);

  /// Returns the place and the attitude of the body, about its point.
  BodyPlace place() const;

 private:
  Vector6 offTo(const BodyPlace& place) const;
  void turnBy();

  Eigen::Matrix<double, 18, 1> state_ = Eigen::Matrix<double, 18, 1>::Zero();
  Eigen::Matrix<double, 18, 18> covariance_ = Eigen::Matrix<double, 18, 18>::Zero();
  LearnedJerk middleJerk_, turnJerk_;
  Eigen::Vector3d point_{0, 0, 0};
  Eigen::Matrix3d rotation_;  // the state's rotation is relative to this
  int knownPlaces_;
  int taken_ = 1;  // places
};

}  // namespace glint::motion
