// What a camera makes of space: OpenCV's model, with analytic derivatives.
#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

namespace glint::motion {

/// OpenCV's pinhole with five coefficients (its documentation, module calib3d). With (X, Y, Z) in
/// the camera's frame, a = X / Z, b = Y / Z and s = a^2 + b^2:
///   radial = 1 + k1 s + k2 s^2 + k3 s^3
///   x = cx + fx (a radial + 2 p1 a b + p2 (s + 2 a^2))
///   y = cy + fy (b radial + p1 (s + 2 b^2) + 2 p2 a b)
/// px; (0, 0) is the centre of the top-left pixel.
struct Lens {
  double fx = 1, fy = 1;                          ///< px, above 0
  double cx = 0, cy = 0;                          ///< px
  double k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0;  ///< in OpenCV's order

  static constexpr int kNumbers = 9;
  using Numbers = Eigen::Matrix<double, kNumbers, 1>;

  /// fx, fy, cx, cy, k1, k2, p1, p2, k3.
  Numbers numbers() const;
  static Lens of(const Numbers& numbers);
};

/// From the world to the camera's frame (x right, y down, z forward): rotationOf(rotation) * p +
/// translation. mm.
struct Pose {
  Eigen::Vector3d rotation = Eigen::Vector3d::Zero();  ///< Rodrigues' vector, rad
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();

  Eigen::Matrix3d matrix() const;
  Eigen::Vector3d apply(const Eigen::Vector3d& point) const;
  Eigen::Vector3d centre() const;  ///< of the camera in the world
  Pose inverse() const;
};

/// first, then second.
Pose then(const Pose& first, const Pose& second);

struct RigCamera {
  std::string name;
  int width = 0, height = 0;  ///< px
  Lens lens;
  Pose pose;
  /// s: it sees at its own time plus this.
  double timeOffset = 0;
};

struct Projection {
  Eigen::Vector2d pixel;
  double depth;  ///< mm; what is not above 0 has no image, and the pixel means nothing
};

/// Of the pixel by the lens (in the order of Lens::numbers()), by the pose (rotation, translation)
/// and by the point.
struct ProjectionDerivatives {
  Eigen::Matrix<double, 2, Lens::kNumbers> lens;
  Eigen::Matrix<double, 2, 6> pose;
  Eigen::Matrix<double, 2, 3> point;
};

/// Where `point` (mm, world) is seen; the derivatives are filled where they are asked for.
Projection project(const Lens& lens, const Pose& pose, const Eigen::Vector3d& point,
                   ProjectionDerivatives* derivatives = nullptr);

/// The same of a point (mm) in the camera's own frame, with the derivative of the pixel by it.
Projection projectSeen(const Lens& lens, const Eigen::Vector3d& seen,
                       Eigen::Matrix<double, 2, 3>& bySeen);

/// (a, b) of a pixel, by Newton's method; empty where nothing is imaged there, as beyond the circle
/// at which a strong distortion folds the image.
std::optional<Eigen::Vector2d> undistort(const Lens& lens, const Eigen::Vector2d& pixel);

/// Whether the radial distortion grows with the radius all over an image of this size, by which
/// each pixel has one ray.
bool isOneToOne(const Lens& lens, int width, int height);

struct Ray {
  Eigen::Vector3d origin;     ///< mm, world
  Eigen::Vector3d direction;  ///< unit vector
};

/// What a pixel looks along; empty as of undistort().
std::optional<Ray> rayOf(const RigCamera& camera, const Eigen::Vector2d& pixel);

}  // namespace glint::motion
