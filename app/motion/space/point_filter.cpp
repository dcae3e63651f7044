#include "app/motion/space/point_filter.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace glint::motion {

PointFilter::PointFilter(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance, double speed,
                         double acceleration) {
  state_.head<3>() = at;
  covariance_.topLeftCorner<3, 3>() = covariance;
  covariance_.diagonal().segment<3>(3).setConstant(speed * speed);
  covariance_.diagonal().tail<3>().setConstant(acceleration * acceleration);
}

void PointFilter::predict(double dt, double jerk) {
  const double half = dt * dt / 2;
  state_.head<3>() += dt * state_.segment<3>(3) + half * state_.tail<3>();
  state_.segment<3>(3) += dt * state_.tail<3>();
  auto& p = covariance_;
  p.topRows<3>() += dt * p.middleRows<3>(3) + half * p.bottomRows<3>();
  p.middleRows<3>(3) += dt * p.bottomRows<3>();
  p.leftCols<3>() += dt * p.middleCols<3>(3) + half * p.rightCols<3>();
  p.middleCols<3>(3) += dt * p.rightCols<3>();
  const double d2 = dt * dt, d3 = d2 * dt, d4 = d3 * dt, d5 = d4 * dt;
  for (int k = 0; k < 3; ++k) {
    p(k, k) += jerk * d5 / 20;
    p(k, k + 3) += jerk * d4 / 8;
    p(k + 3, k) += jerk * d4 / 8;
    p(k, k + 6) += jerk * d3 / 6;
    p(k + 6, k) += jerk * d3 / 6;
    p(k + 3, k + 3) += jerk * d3 / 3;
    p(k + 3, k + 6) += jerk * d2 / 2;
    p(k + 6, k + 3) += jerk * d2 / 2;
    p(k + 6, k + 6) += jerk * dt;
  }
}

void PointFilter::disturb(double dt, double acceleration) {
  // Effect on position, velocity and acceleration.
  const Eigen::Vector3d by(dt * dt / 2, dt, 1);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        covariance_(3 * i + k, 3 * j + k) += acceleration * acceleration * by[i] * by[j];
}

// Adds to the covariance on each axis. The last two are in s^2 and s.
void PointFilter::addOfVelocity(double speed, double place2, double placeAndVelocity) {
  const double variance = speed * speed;
  for (int k = 0; k < 3; ++k) {
    covariance_(k, k) += variance * place2;
    covariance_(k, k + 3) += variance * placeAndVelocity;
    covariance_(k + 3, k) += variance * placeAndVelocity;
    covariance_(k + 3, k + 3) += variance;
  }
}

void PointFilter::loosen(double span, double speed) {
  addOfVelocity(speed, span * span, span);
}

// The time from the impact to now is uniform between 0 and `span`.
void PointFilter::strike(double span, double speed) {
  addOfVelocity(speed, span * span / 3, span / 2);
}

void PointFilter::update(const Eigen::Vector3d& at, const Eigen::Matrix3d& covariance) {
  const Eigen::Matrix3d total = covariance_.topLeftCorner<3, 3>() + covariance;
  const Eigen::Matrix<double, 9, 3> across = covariance_.leftCols<3>();
  const Eigen::Matrix<double, 9, 3> gain = across * total.inverse();
  state_ += gain * (at - state_.head<3>());
  covariance_ -= gain * across.transpose();
  covariance_ = (covariance_ + covariance_.transpose()).eval() / 2;
}

void PointFilter::update(const Eigen::Vector2d& residual, const Eigen::Matrix<double, 2, 3>& slope,
                         const Eigen::Vector2d& variance) {
  const Eigen::Matrix<double, 9, 2> across = covariance_.leftCols<3>() * slope.transpose();
  Eigen::Matrix2d total = slope * across.topRows<3>();
  total.diagonal() += variance;
  const Eigen::Matrix<double, 9, 2> gain = across * total.inverse();
  state_ += gain * residual;
  covariance_ -= gain * across.transpose();
  covariance_ = (covariance_ + covariance_.transpose()).eval() / 2;
}

LearnedJerk::LearnedJerk(double start, const JerkOptions& options, double unit)
    : log_(std::log(start / unit)),
      min_(std::log(options.min / unit)),
      max_(std::log(options.max / unit)),
      gain_(options.gain),
      maxRatio_(options.maxRatio) {}

double LearnedJerk::value() const {
  return std::exp(log_);
}

// Errors that are larger than predicted raise the jerk, and smaller ones lower it. An error has
// more weight if the prediction was more uncertain than the measurement.
void LearnedJerk::learn(const Eigen::Vector3d& off, const Eigen::Matrix3d& predicted,
                        const Eigen::Matrix3d& measured) {
  const Eigen::Matrix3d total = predicted + measured;
  const double ratio = off.dot(total.inverse() * off) / 3;
  const double share = predicted.trace() / total.trace();
  log_ += gain_ * share * (std::min(ratio, maxRatio_) - 1);
  log_ = std::clamp(log_, min_, max_);
}

}  // namespace glint::motion
