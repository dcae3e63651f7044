// A Kalman filter for a point in space: constant acceleration with white-noise jerk on each axis.
// Formulas: Bar-Shalom, Li, Kirubarajan, "Estimation with Applications to Tracking and Navigation"
// (2001), 6.2.3.
#pragma once

#include <Eigen/Core>

namespace glint::motion {

/// A Kalman filter of position (mm), velocity (mm/s) and acceleration (mm/s^2).
class PointFilter {
 public:
  PointFilter() = default;

  /// Starts at a position that was measured once. Velocity and acceleration are unknown: their mean
  /// is 0, with these standard deviations along each axis (mm/s, mm/s^2).
  PointFilter(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance, double speed,
              double acceleration);

  /// Predicts the state after another `dt` >= 0 (s). `jerk` is the power spectral density of the
  /// random jerk, mm^2/s^5.
  void predict(double dt, double jerk);

  /// Adds the uncertainty from an unexpected acceleration during the last `dt` (s), with this
  /// standard deviation along each axis (mm/s^2). An example is a marker that hits the ground.
  void disturb(double dt, double acceleration);

  /// Adds the uncertainty of a velocity that is unknown by `speed` (mm/s along each axis), since
  /// `span` (s) ago.
  void loosen(double span, double speed);

  /// Adds the uncertainty of an impact at any time during the last `span` (s), which has changed
  /// the velocity by `speed` (standard deviation, mm/s along each axis).
  void strike(double span, double speed);

  /// Corrects the state by a measured place.
  void update(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance);

  /// Corrects the state by what one camera sees: the residual (px), its derivative by the position
  /// (px/mm), and the variance in the image (px^2).
  void update(const Eigen::Vector2d& residual, const Eigen::Matrix<double, 2, 3>& slope,
              const Eigen::Vector2d& variance);

  Eigen::Vector3d position() const { return state_.head<3>(); }
  Eigen::Vector3d velocity() const { return state_.segment<3>(3); }
  Eigen::Matrix3d covariance() const { return covariance_.topLeftCorner<3, 3>(); }
  Eigen::Matrix3d velocityCovariance() const { return covariance_.block<3, 3>(3, 3); }

 private:
  void addOfVelocity(double speed, double place2, double placeAndVelocity);

  Eigen::Matrix<double, 9, 1> state_ = Eigen::Matrix<double, 9, 1>::Zero();
  Eigen::Matrix<double, 9, 9> covariance_ = Eigen::Matrix<double, 9, 9>::Zero();
};

/// Options for learning the power of a random jerk from prediction errors (LearnedJerk).
struct JerkOptions {
  /// Power before a track has learned its own, mm^2/s^5. Raising it makes predictions of new tracks
  /// less certain, so their gates are wider. Choice: fast movements of people.
  double start = 1e10;

  /// Minimum power, mm^2/s^5: that of a marker that creeps. Raising it widens the gates of markers
  /// at rest. Choice.
  double min = 1e4;

  /// Maximum power, mm^2/s^5: that of a marker that is hit. Choice.
  double max = 1e15;

  /// Weight of the newest prediction error in the logarithm of the power. Raising it adapts faster,
  /// with more scatter. Choice.
  double gain = 0.25;

  /// Maximum ratio of a squared error to its expectation; larger ones count as this. Raising it
  /// lets single outliers raise the power more. Choice.
  double maxRatio = 8;
};

/// The power of a motion's random jerk, learned from prediction errors.
class LearnedJerk {
 public:
  /// Starts with the power `start`. It and the limits in the options are divided by `unit`, which
  /// is 1 for mm^2/s^5.
  LearnedJerk(double start, const JerkOptions& options, double unit = 1);

  double value() const;

  /// Learns from the difference `off` between a measurement and its prediction, and from the
  /// covariances of both.
  void learn(const Eigen::Vector3d& off, const Eigen::Matrix3d& predicted,
             const Eigen::Matrix3d& measured);

 private:
  double log_, min_, max_;  // logarithms of the power and its bounds
  double gain_, maxRatio_;
};

}  // namespace glint::motion
