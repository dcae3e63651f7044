// Motion of a rigid body: constant acceleration of one of its points and of its turning.
#pragma once

#include "app/space/body_fit.h"
#include "app/space/point_filter.h"

namespace glint {

/// A Kalman filter of a point of the body (mm) and of its rotation (rad, about the world's axes,
/// counted from the newest one), their velocities and accelerations; see PointFilter. The jerk of
/// each is learned. The point is one that is seen: about it, what is not known of the rotation says
/// nothing of the place, however much it is.
class BodyMotion {
 public:
  /// About the mean of the markers.
  explicit BodyMotion(const BodyPlace& first);

  /// From here on of the point that lies so from the mean of the markers, in the body's axes.
  void refer(const Eigen::Vector3d& point);
  const Eigen::Vector3d& point() const { return point_; }

  void predict(double dt);
  /// Takes a place; its covariance is that by which frames scatter.
  void update(const BodyPlace& measured);
  /// Takes a place that its own prediction was part of: what hangs together with it follows.
  void replace(const BodyPlace& place);

  /// Where it is about its point, as it is known now.
  BodyPlace place() const;

 private:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  Vector6 offTo(const BodyPlace& place) const;
  void turnBy();

  Eigen::Matrix<double, 18, 1> state_ = Eigen::Matrix<double, 18, 1>::Zero();
  Eigen::Matrix<double, 18, 18> covariance_ = Eigen::Matrix<double, 18, 18>::Zero();
  LearnedJerk middleJerk_, turnJerk_;
  Eigen::Vector3d point_{0, 0, 0};
  Eigen::Matrix3d rotation_;  // that the state counts from
  int taken_ = 1;
};

}  // namespace glint
