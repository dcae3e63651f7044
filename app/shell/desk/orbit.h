// A look at space from outside: what the 3D view is drawn by.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include <Eigen/Core>

namespace glint::shell {

/// A camera on a sphere about a target that it looks at, `up` being up. World in mm; px of a
/// rectangle from its upper left corner, x to the right, y down.
class Orbit {
 public:
  /// `up`: of length 1.
  explicit Orbit(const Eigen::Vector3d& up);
  Orbit() : Orbit(Eigen::Vector3d::UnitZ()) {}

  /// The size of the rectangle, px, above 0.
  void place(double width, double height);
  /// Looks from where it does, at the middle of these, and so far away that all are in sight. One
  /// point at least.
  void frame(std::span<const Eigen::Vector3d> points);
  /// So many px of the mouse: about `up`, and higher or lower, up to the poles.
  void turnBy(double dx, double dy);
  /// What is at the target's depth follows the mouse.
  void moveBy(double dx, double dy);
  /// Nearer (above 1) or farther.
  void zoomBy(double factor);

  /// Where a point is seen, and how far before the eye (mm); what is not deeper than nearest() has
  /// no image.
  struct Image {
    double x = 0, y = 0, depth = 0;
  };
  Image see(const Eigen::Vector3d& point) const;
  /// The ends of what is seen of a line; empty where all of it is too near or behind.
  std::optional<std::pair<Image, Image>> seeLine(Eigen::Vector3d from, Eigen::Vector3d to) const;
  double nearest() const { return 0.02 * distance_; }

  /// (x, y, 1) times depth of a point (its fourth coordinate being 1).
  Eigen::Matrix<double, 3, 4> matrix() const;

  const Eigen::Vector3d& target() const { return target_; }
  double distance() const { return distance_; }        ///< mm, from the eye to the target
  double turn() const { return turn_; }                ///< rad
  double lift() const { return lift_; }                ///< rad above the horizon
  double scale() const { return focal_ / distance_; }  ///< px a mm at the target's depth

 private:
  Eigen::Matrix3d axes() const;  // rows: right, down, forward
  Eigen::Vector3d eye() const;

  Eigen::Vector3d up_, side_;  // side_: where turn is 0
  Eigen::Vector3d target_ = Eigen::Vector3d::Zero();
  double distance_ = 5000, turn_ = -1.0, lift_ = 0.5;
  double width_ = 1, height_ = 1, focal_ = 1;
};

}  // namespace glint::shell
