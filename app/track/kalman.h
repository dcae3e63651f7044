// Constant-velocity motion of one coordinate, with white-noise acceleration.
// Formulas: Bar-Shalom, Li, Kirubarajan, "Estimation with Applications to Tracking and Navigation"
// (2001), 6.2.2.
#pragma once

namespace glint {

/// Kalman filter of a position (px) and its velocity (px/s).
/// Variances are px^2, times in s, the power of the acceleration noise in px^2/s^3.
class AxisFilter {
 public:
  AxisFilter() = default;

  /// A position seen once, with an unknown velocity around 0.
  AxisFilter(double position, double variance, double velocityVariance)
      : position_(position), pp_(variance), vv_(velocityVariance) {}

  /// A position, and a velocity that is known as well as its variance says.
  AxisFilter(double position, double variance, double velocity, double velocityVariance)
      : position_(position), velocity_(velocity), pp_(variance), vv_(velocityVariance) {}

  /// Moves on by dt >= 0.
  void predict(double dt, double noisePower);

  /// The last step of dt may have been more disturbed than was thought, by so much noise.
  void disturb(double dt, double noisePower);

  /// Takes a measured position with its variance > 0.
  void update(double measured, double variance);

  /// Nats against both being of one moving point: -log of the density (per px and px/s) of their
  /// difference.
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

/// The likeliest motion between two known ones `span` > 0 apart, at the fraction 0 < s < 1:
/// Hermite's cubic, the mean of white-noise acceleration given both ends.
Motion between(const Motion& from, const Motion& to, double span, double s);

/// The variance of the position there: noisePower * span^3 * s^3 * (1 - s)^3 / 3.
double varianceBetween(double span, double s, double noisePower);

}  // namespace glint
