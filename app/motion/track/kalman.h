// A Kalman filter for one coordinate: constant velocity with white-noise acceleration.
// Formulas: Bar-Shalom, Li, Kirubarajan, "Estimation with Applications to Tracking and Navigation"
// (2001), 6.2.2.
#pragma once

namespace glint::motion {

/// A Kalman filter of a position (px) and its velocity (px/s). Variances of positions are in px^2,
/// times in s, and the power spectral density of the acceleration noise in px^2/s^3.
class AxisFilter {
 public:
  AxisFilter() = default;

  /// Starts at a position that was measured once. The velocity is unknown, with a mean of 0.
  AxisFilter(double position, double variance, double velocityVariance)
      : position_(position), pp_(variance), vv_(velocityVariance) {}

  /// Starts at a position and a velocity with independent errors.
  AxisFilter(double position, double variance, double velocity, double velocityVariance)
      : position_(position), velocity_(velocity), pp_(variance), vv_(velocityVariance) {}

  /// Predicts the state after another `dt` >= 0.
  void predict(double dt, double noisePower);

  /// Adds the uncertainty of acceleration noise during the last `dt`, without changing the
  /// position.
  void disturb(double dt, double noisePower);

  /// Corrects the state by a measured position with a variance > 0.
  void update(double measured, double variance);

  /// Returns -log of the probability density (per px and px/s) of the difference between both
  /// states, assuming that they belong to the same moving point. It is the cost, in nats, of that
  /// assumption.
  double mismatch(const AxisFilter& other) const;

  double position() const { return position_; }
  double velocity() const { return velocity_; }
  double positionVariance() const { return pp_; }
  double velocityVariance() const { return vv_; }

 private:
  double position_ = 0, velocity_ = 0;
  double pp_ = 0, pv_ = 0, vv_ = 0;  // covariance
};

/// A position and a velocity at one time.
struct Motion {
  double position = 0, velocity = 0;
};

/// Returns the most likely motion between two known ones that are `span` > 0 (s) apart, at the
/// fraction 0 < s < 1 of that time. It is a cubic Hermite curve, which is the mean of a motion with
/// white-noise acceleration if both ends are given.
Motion between(const Motion& from, const Motion& to, double span, double s);

/// Returns the variance of that position, px^2: noisePower * span^3 * s^3 * (1 - s)^3 / 3.
double varianceBetween(double span, double s, double noisePower);

}  // namespace glint::motion
