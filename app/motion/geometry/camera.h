// Projection of points in space to pixels: OpenCV's camera model with analytic derivatives.
#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

namespace glint::motion {

/// OpenCV's pinhole camera with five distortion coefficients (see its documentation, module
/// calib3d). With (X, Y, Z) in the camera's frame, a = X / Z, b = Y / Z and s = a^2 + b^2, the
/// pixel (x, y) is
///   radial = 1 + k1 s + k2 s^2 + k3 s^3
///   x = cx + fx (a radial + 2 p1 a b + p2 (s + 2 a^2))
///   y = cy + fy (b radial + p1 (s + 2 b^2) + 2 p2 a b)
/// in px. (0, 0) is the centre of the top-left pixel.
///
/// A fisheye lens follows OpenCV's fisheye model instead. With r = sqrt(s) and t = atan(r), the
/// angle from the axis, it is
///   bent = t (1 + k1 t^2 + k2 t^4 + k3 t^6 + k4 t^8) / r
///   x = cx + fx a bent
///   y = cy + fy b bent
/// Only points in front of the camera have an image, so the model reaches almost 180 degrees.
struct Lens {
  /// Focal lengths, px, above 0.
  double fx = 1, fy = 1;
  /// Principal point, px.
  double cx = 0, cy = 0;
  /// Distortion coefficients, without unit, in OpenCV's order. Those of a fisheye take the places
  /// in the same order: its k3 is in p1, its k4 in p2, and `k3` is 0.
  double k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0;
  /// True for OpenCV's fisheye model.
  bool fisheye = false;

  /// The number of parameters of a lens: all of the above.
  static constexpr int kNumbers = 9;
  using Numbers = Eigen::Matrix<double, kNumbers, 1>;

  /// Returns all numbers in the order fx, fy, cx, cy, k1, k2, p1, p2, k3. of() is the inverse.
  Numbers numbers() const;
  static Lens of(const Numbers& numbers, bool fisheye = false);
};

/// The transform from the world to the camera's frame (x right, y down, z forward), in mm:
/// rotationOf(rotation) * p + translation.
struct Pose {
  /// Rodrigues vector, rad.
  Eigen::Vector3d rotation = Eigen::Vector3d::Zero();
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();

  Eigen::Matrix3d matrix() const;
  Eigen::Vector3d apply(const Eigen::Vector3d& point) const;
  /// Returns the position of the camera in the world, mm.
  Eigen::Vector3d centre() const;
  Pose inverse() const;
};

/// Returns the pose that applies `first` and then `second`.
Pose then(const Pose& first, const Pose& second);

struct RigCamera {
  std::string name;
  int width = 0, height = 0;  ///< px
  Lens lens;
  Pose pose;
  /// Time to add to this camera's own timestamps to get the moment of its view, s.
  double timeOffset = 0;
  /// Time in which a rolling shutter reads all rows of an image, s: the last row is seen later than
  /// the first one by this. The camera's timestamps are those of the middle row. 0 if all rows are
  /// seen at once.
  double readout = 0;

  /// Returns how much later than the middle row the camera sees the row `y` (px), s.
  double rowDelay(double y) const { return readout * ((y + 0.5) / height - 0.5); }
};

struct Projection {
  Eigen::Vector2d pixel;
  /// Depth along the camera's z axis, mm. If it is not above 0, the point has no image and `pixel`
  /// is meaningless.
  double depth;
};

/// Derivatives of the pixel: by the lens (in the order of Lens::numbers()), by the pose (rotation,
/// then translation) and by the point.
struct ProjectionDerivatives {
  Eigen::Matrix<double, 2, Lens::kNumbers> lens;
  Eigen::Matrix<double, 2, 6> pose;
  Eigen::Matrix<double, 2, 3> point;
};

/// Returns the pixel at which the camera sees `point` (mm, world), and its depth. Fills
/// `derivatives` unless it is null.
Projection project(const Lens& lens, const Pose& pose, const Eigen::Vector3d& point,
                   ProjectionDerivatives* derivatives = nullptr);

/// Returns the pixel of `seen`, a point in the camera's own frame (mm), and its depth. Sets
/// `bySeen` to the derivative of the pixel by the point.
Projection projectSeen(const Lens& lens, const Eigen::Vector3d& seen,
                       Eigen::Matrix<double, 2, 3>& bySeen);

/// Returns the undistorted (a, b) of a pixel, found by Newton's method. Returns nothing if no point
/// is imaged there, for example outside the circle at which a strong distortion folds the image
/// back, or where a fisheye shows points that are not in front of the camera.
std::optional<Eigen::Vector2d> undistort(const Lens& lens, const Eigen::Vector2d& pixel);

/// Returns true if the distorted radius grows with the radius everywhere in an image of this size
/// (px). Then each pixel has exactly one ray. Only the radial coefficients are checked.
bool isOneToOne(const Lens& lens, int width, int height);

struct Ray {
  Eigen::Vector3d origin;     ///< mm, world
  Eigen::Vector3d direction;  ///< unit vector
};

/// Returns the ray from the camera's centre through a pixel, or nothing if undistort() finds none.
std::optional<Ray> rayOf(const RigCamera& camera, const Eigen::Vector2d& pixel);

}  // namespace glint::motion
