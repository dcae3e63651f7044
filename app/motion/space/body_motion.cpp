#include "app/motion/space/body_motion.h"

#include <Eigen/Geometry>

#include "app/motion/geometry/rotation.h"

namespace glint::motion {

BodyMotion::BodyMotion(const BodyPlace& first, const BodyMotionOptions& options)
    : middleJerk_(options.jerk.start, options.jerk),
      turnJerk_(options.jerk.start, options.jerk, options.arm * options.arm),
      rotation_(first.rotation),
      knownPlaces_(options.knownPlaces) {
  state_.head<3>() = first.centre;
  covariance_.topLeftCorner<6, 6>() = first.covariance;
  const auto own = [&](int from, double sigma) {
    covariance_.diagonal().segment<3>(from).setConstant(sigma * sigma);
  };
  own(6, options.speed);
  own(9, options.speed / options.arm);
  own(12, options.acceleration);
  own(15, options.acceleration / options.arm);
}

void BodyMotion::refer(const Eigen::Vector3d& point) {
  if (point == point_) return;
  const Eigen::Vector3d arm = rotation_ * (point - point_);
  const Eigen::Vector3d turning = state_.segment<3>(9);
  state_.head<3>() += arm;
  state_.segment<3>(6) += turning.cross(arm);
  state_.segment<3>(12) += state_.tail<3>().cross(arm) + turning.cross(turning.cross(arm));
  for (int i = 0; i < 18; i += 6) {
    covariance_.middleRows<3>(i) -= crossMatrix(arm) * covariance_.middleRows<3>(i + 3);
    covariance_.middleCols<3>(i) += covariance_.middleCols<3>(i + 3) * crossMatrix(arm);
  }
  point_ = point;
}

void BodyMotion::predict(double dt) {
  const double half = dt * dt / 2;
  state_.head<6>() += dt * state_.segment<6>(6) + half * state_.tail<6>();
  state_.segment<6>(6) += dt * state_.tail<6>();
  auto& p = covariance_;
  // The uncertainty about an axis of the body turns with the body.
  const Eigen::Matrix3d turned = rotationOf(state_.segment<3>(3));
  p.middleRows<3>(3) = (turned * p.middleRows<3>(3)).eval();
  p.middleCols<3>(3) = (p.middleCols<3>(3) * turned.transpose()).eval();
  p.topRows<6>() += dt * p.middleRows<6>(6) + half * p.bottomRows<6>();
  p.middleRows<6>(6) += dt * p.bottomRows<6>();
  p.leftCols<6>() += dt * p.middleCols<6>(6) + half * p.rightCols<6>();
  p.middleCols<6>(6) += dt * p.rightCols<6>();
  // Process noise of a white-noise jerk.
  const double d2 = dt * dt, d3 = d2 * dt, d4 = d3 * dt, d5 = d4 * dt;
  Eigen::Matrix3d by;
  by << d5 / 20, d4 / 8, d3 / 6, d4 / 8, d3 / 3, d2 / 2, d3 / 6, d2 / 2, dt;
  for (int k = 0; k < 6; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        p(6 * i + k, 6 * j + k) += (k < 3 ? middleJerk_ : turnJerk_).value() * by(i, j);
  turnBy();
}

// Returns the difference between a pose and the state.
Vector6 BodyMotion::offTo(const BodyPlace& place) const {
  Vector6 off;
  off << place.centre, rodriguesOf(place.rotation * rotation_.transpose());
  return off - state_.head<6>();
}

// Moves the rotation in the state into rotation_, so that the state is relative to the present
// attitude.
void BodyMotion::turnBy() {
  rotation_ = rotationOf(state_.segment<3>(3)) * rotation_;
  state_.segment<3>(3).setZero();
  covariance_ = (covariance_ + covariance_.transpose()).eval() / 2;
}

void BodyMotion::update(const BodyPlace& measured) {
  const Vector6 off = offTo(measured);
  const Matrix6 own = covariance_.topLeftCorner<6, 6>();
  if (taken_ >= knownPlaces_) {
    middleJerk_.learn(off.head<3>(), own.topLeftCorner<3, 3>(),
                      measured.covariance.topLeftCorner<3, 3>());
    turnJerk_.learn(off.tail<3>(), own.bottomRightCorner<3, 3>(),
                    measured.covariance.bottomRightCorner<3, 3>());
  }
  ++taken_;
  const Eigen::Matrix<double, 18, 6> across = covariance_.leftCols<6>();
  const Eigen::Matrix<double, 18, 6> gain = across * inverseOf(own + measured.covariance);
  state_ += gain * off;
  covariance_ -= gain * across.transpose();
  turnBy();
}

void BodyMotion::replace(const BodyPlace& place) {
  const Matrix6 own = covariance_.topLeftCorner<6, 6>();
  const Eigen::Matrix<double, 18, 6> by = covariance_.leftCols<6>() * inverseOf(own);
  state_ += by * offTo(place);
  covariance_ -= by * (own - place.covariance) * by.transpose();
  turnBy();
}

BodyPlace BodyMotion::place() const {
  return {rotationOf(state_.segment<3>(3)) * rotation_, state_.head<3>(),
          covariance_.topLeftCorner<6, 6>()};
}

}  // namespace glint::motion
