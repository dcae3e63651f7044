// Motion of one point in space: constant acceleration, with white-noise jerk on each axis.
// Formulas: Bar-Shalom, Li, Kirubarajan, "Estimation with Applications to Tracking and Navigation"
// (2001), 6.2.3.
#pragma once

#include <Eigen/Core>

namespace glint {

/// Kalman filter of position (mm), velocity (mm/s) and acceleration (mm/s^2).
class PointFilter {
 public:
  PointFilter() = default;

  /// A place that was measured once; velocity and acceleration are unknown around 0, with these
  /// standard deviations.
  PointFilter(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance, double speed,
              double acceleration);

  /// Moves on by dt >= 0 s; `jerk` is the power of its noise, mm^2/s^5.
  void predict(double dt, double jerk);

  /// The last step of dt may have had an acceleration that nobody foresaw, with this standard
  /// deviation along each axis: what hits the ground.
  void disturb(double dt, double acceleration);

  /// Takes a measured place.
  void update(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance);

  /// Takes what one camera sees: the residual (px), its slope by the place, and the variance of the
  /// image, px^2. Only the place is corrected by it as its covariance says.
  void update(const Eigen::Vector2d& residual, const Eigen::Matrix<double, 2, 3>& slope,
              const Eigen::Vector2d& variance);

  Eigen::Vector3d position() const { return state_.head<3>(); }
  Eigen::Vector3d velocity() const { return state_.segment<3>(3); }
  Eigen::Matrix3d covariance() const { return covariance_.topLeftCorner<3, 3>(); }
  Eigen::Matrix3d velocityCovariance() const { return covariance_.block<3, 3>(3, 3); }

 private:
  Eigen::Matrix<double, 9, 1> state_ = Eigen::Matrix<double, 9, 1>::Zero();
  Eigen::Matrix<double, 9, 9> covariance_ = Eigen::Matrix<double, 9, 9>::Zero();
};

/// The power of a motion's jerk, as its innovations teach it.
class LearnedJerk {
 public:
  /// `start`, in units^2/s^5, between `least` and `most`.
  LearnedJerk(double start, double least, double most);

  double value() const;
  /// `off`: of a measurement from its prediction, with the covariances of both.
  void learn(const Eigen::Vector3d& off, const Eigen::Matrix3d& predicted,
             const Eigen::Matrix3d& measured);

 private:
  double log_, least_, most_;
};

}  // namespace glint
