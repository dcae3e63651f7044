// The camera of the 3D view, which looks at space from outside.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include <Eigen/Core>

namespace glint::shell {

/// A camera on a sphere around the target at which it looks. The world is in mm. Places in the
/// picture are px of a rectangle from its upper left corner, x to the right, y down.
class Orbit {
 public:
  /// `up` is the direction that is shown upwards, and has the length 1.
  explicit Orbit(const Eigen::Vector3d& up);
  Orbit() : Orbit(Eigen::Vector3d::UnitZ()) {}

  /// Sets the size of the rectangle, px, above 0.
  void place(double width, double height);
  /// Looks at the middle of these points in the same direction as before, from so far away that all
  /// are in sight. There must be at least one point.
  void frame(std::span<const Eigen::Vector3d> points);
  /// Turns the camera by a movement of the mouse, px: around `up`, and higher or lower, up to the
  /// poles.
  void turnBy(double dx, double dy);
  /// Moves the target so that points at its depth follow the mouse, px.
  void moveBy(double dx, double dy);
  /// Moves the camera nearer (`factor` above 1) or farther away.
  void zoomBy(double factor);

  /// The place at which a point is seen, px, and its depth before the eye, mm. A point that is not
  /// deeper than nearest() has no image.
  struct Image {
    double x = 0, y = 0, depth = 0;
  };
  Image see(const Eigen::Vector3d& point) const;
  /// Returns the ends of the visible part of a line; empty if all of it is too near or behind the
  /// eye.
  std::optional<std::pair<Image, Image>> seeLine(Eigen::Vector3d from, Eigen::Vector3d to) const;
  double nearest() const { return 0.02 * distance_; }

  /// Returns the matrix that takes a point (with 1 as its fourth coordinate) to (x, y, 1) times its
  /// depth.
  Eigen::Matrix<double, 3, 4> matrix() const;

  const Eigen::Vector3d& target() const { return target_; }
  /// Returns the distance from the eye to the target, mm.
  double distance() const { return distance_; }
  /// Returns the turn around `up`, rad.
  double turn() const { return turn_; }
  /// Returns the height of the camera above the horizon, rad.
  double lift() const { return lift_; }
  /// Returns the px for each mm at the target's depth.
  double scale() const { return focal_ / distance_; }

 private:
  Eigen::Matrix3d axes() const;  // rows: right, down, forward
  Eigen::Vector3d eye() const;

  Eigen::Vector3d up_, side_;  // `side_` is the direction in which turn is 0
  Eigen::Vector3d target_ = Eigen::Vector3d::Zero();
  double distance_ = 5000, turn_ = -1.0, lift_ = 0.5;  // mm, rad, rad
  double width_ = 1, height_ = 1, focal_ = 1;          // px
};

}  // namespace glint::shell
