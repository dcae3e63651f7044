// The residual of one dot of a bundle, and its derivatives.
#pragma once

#include <array>
#include <optional>

#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// Residual of a sight in standard deviations, with its derivatives by all numbers that it depends
/// on. Those by the item are by both ends; for a single light, their sum is the derivative.
struct Equation {
  Eigen::Vector2d residual;
  Eigen::Matrix<double, 2, lensNumbers> lens;
  Eigen::Matrix<double, 2, 6> pose;
  Eigen::Vector2d time;
  Eigen::Matrix<double, 2, 6> item;
};

/// Fills `e` for a camera and the ends of an item (six numbers, or three for a single light).
/// Without `derivatives` it fills the residual only. `time` is the time that is added to the
/// sight's delay, and Equation::time the derivative by it: see latenessOf(). Returns false if the
/// light is behind the camera.
bool equationOf(const BundleSight& sight, const BundleItem& item, const Lens& lens,
                const Pose& pose, double time, const double* ends, Equation& e, bool derivatives);

/// Returns the residual of a sight, px, or nothing if the light is behind the camera.
std::optional<Eigen::Vector2d> residualOf(const Bundle& bundle, const BundleSight& sight);

/// Returns the coordinates of the ends: six numbers, of which a single light uses three.
std::array<double, 6> endsOf(const BundleItem& item);

/// Returns the relative error of the distance between two cameras' centres, in units of a
/// millionth. The distance only sets the scale, so it counts as almost exact.
double baseResidual(const BaseLine& base, const Pose& first, const Pose& second);

}  // namespace glint::motion
