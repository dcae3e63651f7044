#include "app/motion/track/kalman.h"

#include <cmath>
#include <numbers>

namespace glint::motion {

void AxisFilter::predict(double dt, double noisePower) {
  position_ += velocity_ * dt;
  pp_ += dt * (2 * pv_ + dt * vv_);
  pv_ += dt * vv_;
  disturb(dt, noisePower);
}

void AxisFilter::disturb(double dt, double noisePower) {
  pp_ += noisePower * dt * dt * dt / 3;
  pv_ += noisePower * dt * dt / 2;
  vv_ += noisePower * dt;
}

void AxisFilter::update(double measured, double variance) {
  const double total = pp_ + variance;
  const double gainP = pp_ / total;
  const double gainV = pv_ / total;
  const double innovation = measured - position_;
  position_ += gainP * innovation;
  velocity_ += gainV * innovation;
  vv_ -= gainV * pv_;
  // This uses variance / total instead of 1 - gainP, which would lose digits if the prediction is
  // much less certain than the measurement.
  pv_ *= variance / total;
  pp_ *= variance / total;
}

double AxisFilter::mismatch(const AxisFilter& other) const {
  const double p = position_ - other.position_, v = velocity_ - other.velocity_;
  const double pp = pp_ + other.pp_, pv = pv_ + other.pv_, vv = vv_ + other.vv_;
  const double determinant = pp * vv - pv * pv;
  const double distance2 = (vv * p * p - 2 * pv * p * v + pp * v * v) / determinant;
  return distance2 / 2 + std::log(2 * std::numbers::pi) + std::log(determinant) / 2;
}

Motion between(const Motion& from, const Motion& to, double span, double s) {
  const double step = to.position - from.position;
  const double start = from.velocity * span;
  const double end = to.velocity * span;
  const double square = 3 * step - 2 * start - end;
  const double cube = start + end - 2 * step;
  return {from.position + s * (start + s * (square + s * cube)),
          (start + s * (2 * square + s * 3 * cube)) / span};
}

double varianceBetween(double span, double s, double noisePower) {
  const double bridge = span * s * (1 - s);
  return noisePower * bridge * bridge * bridge / 3;
}

}  // namespace glint::motion
