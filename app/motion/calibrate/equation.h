// One dot of a bundle: how far it is off, and what changes that.
#pragma once

#include <array>
#include <optional>

#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// A sight's residual in standard deviations, and what it changes by. The item's are by both ends;
/// of a single light their sum counts.
struct Equation {
  Eigen::Vector2d residual;
  Eigen::Matrix<double, 2, lensNumbers> lens;
  Eigen::Matrix<double, 2, 6> pose;
  Eigen::Vector2d time;
  Eigen::Matrix<double, 2, 6> item;
};

/// Fills `e` for a camera and an item's ends (six numbers, or three of a single light); without
/// `derivatives` the residual alone. False where the light is behind the camera.
bool equationOf(const BundleSight& sight, const BundleItem& item, const Lens& lens,
                const Pose& pose, double time, const double* ends, Equation& e, bool derivatives);

/// Residual of a sight in pixels; empty where the light is behind the camera.
std::optional<Eigen::Vector2d> residualOf(const Bundle& bundle, const BundleSight& sight);

/// The ends as numbers.
std::array<double, 6> endsOf(const BundleItem& item);

/// The distance of two cameras' centres against the base line's: a gauge, as good as exact.
double baseResidual(const BaseLine& base, const Pose& first, const Pose& second);

}  // namespace glint::motion
