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

  /// Starts at a place that was measured once. Velocity and acceleration are unknown and around 0,
  /// with these standard deviations along each axis (mm/s, mm/s^2).
  PointFilter(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance, double speed,
              double acceleration);

  /// Predicts the state after another `dt` >= 0 (s). `jerk` is the power of the random jerk,
  /// mm^2/s^5.
  void predict(double dt, double jerk);

  /// Adds the uncertainty of an unforeseen acceleration during the last `dt`, with this standard
  /// deviation along each axis (mm/s^2), as of a marker that hits the ground.
  void disturb(double dt, double acceleration);

  /// Corrects the state by a measured place.
  void update(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance);

  /// Corrects the state by what one camera sees: the residual (px), its derivative by the place
  /// (px/mm), and the variance in the image (px^2).
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

/// How the power of a random jerk is learnt from prediction errors (LearnedJerk).
struct JerkOptions {
  /// mm^2/s^5: the power before any track knows better. Raising it predicts new tracks less
  /// certainly. Choice: fast movements of people.
  double start = 1e10;

  /// mm^2/s^5: the least power, that of a marker that creeps. Raising it widens the gates of
  /// markers at rest. Choice.
  double min = 1e4;

  /// mm^2/s^5: the greatest power, that of a marker that is hit. Choice.
  double max = 1e15;

  /// Share of the newest prediction error in the logarithm of the power. Raising it adapts faster,
  /// and scatters more. Choice.
  double gain = 0.25;

  /// Greatest ratio of a squared error to its expectation that counts. Raising it lets single
  /// outliers raise the power more. Choice.
  double maxRatio = 8;
};

/// The power of a motion's random jerk, which is learnt from the errors of predictions.
class LearnedJerk {
 public:
  /// Starts with the power `start`. It and the bounds of the options are divided by `unit`, which
  /// is 1 for mm^2/s^5.
  LearnedJerk(double start, const JerkOptions& options, double unit = 1);

  double value() const;

  /// Takes the difference `off` of a measurement from its prediction, and the covariances of both.
  void learn(const Eigen::Vector3d& off, const Eigen::Matrix3d& predicted,
             const Eigen::Matrix3d& measured);

 private:
  double log_, min_, max_;  // logarithms of the power and its bounds
  double gain_, maxRatio_;
};

}  // namespace glint::motion
