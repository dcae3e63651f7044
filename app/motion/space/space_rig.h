// A rig prepared for computing points: fast projections, and the effect of the rig's uncertainty.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/motion/geometry/rig.h"

namespace glint::motion {

/// A camera's image of a point.
struct PointImage {
  Eigen::Vector2d pixel;
  /// Depth along the camera's z axis, mm, above 0.
  double depth;
  /// Derivative of the pixel by the point, px/mm.
  Eigen::Matrix<double, 2, 3> slope;
};

/// A camera of a rig.
class SpaceCamera {
 public:
  explicit SpaceCamera(RigCamera camera);

  const RigCamera& camera() const { return camera_; }
  const Eigen::Matrix3d& rotation() const { return rotation_; }
  const Eigen::Vector3d& centre() const { return centre_; }

  /// Returns the image of a point (mm), or nothing if the point lies behind the camera, or so far
  /// aside that a strong distortion would fold it into the image.
  std::optional<PointImage> see(const Eigen::Vector3d& point) const;
  /// Returns true if a pixel is within the image and at least `margin` px from its border.
  bool holds(const Eigen::Vector2d& pixel, double margin) const;

  /// Returns the variance along x and y, px^2, that the rig's uncertainty causes in this camera's
  /// image of a point. The point is assumed to be in the middle of the volume along the pixel's
  /// ray.
  Eigen::Vector2d rigVariance(const Eigen::Vector2d& pixel) const;

 private:
  friend class SpaceRig;
  // Number of cells of the grid of variances, along x and along y. Raising it follows the variances
  // more finely, and takes more memory.
  static constexpr int kCells = 8;

  RigCamera camera_;
  Eigen::Matrix3d rotation_;
  Eigen::Vector3d centre_;
  // Largest a^2 + b^2 (see Lens) of a visible point.
  double farthest_ = 0;
  std::vector<Eigen::Vector2d> variances_;
};

/// A rig with quantities that are calculated once.
class SpaceRig {
 public:
  /// `corrects` says that code that computes points may replace this rig by one in which cameras
  /// that were moved are corrected. Throws Error as fullCovariance() does.
  explicit SpaceRig(Rig rig, bool corrects = false);

  size_t size() const { return cameras_.size(); }
  const SpaceCamera& operator[](size_t camera) const { return cameras_[camera]; }
  const Rig& rig() const { return rig_; }
  bool corrects() const { return corrects_; }
  /// Returns true if the uncertainty of the rig is known, so that its effect on results can be
  /// calculated.
  bool hasCovariance() const { return !places_.empty() || rig_.exact; }
  /// Returns the mean distance of the cameras from the middle of the volume that they look at, mm.
  double distance() const { return distance_; }
  /// Returns the matrix E for which x_b^T E x_a is 0. x_a and x_b are the undistorted places (a, b,
  /// 1) of one point in the images of two cameras, a < b (Hartley and Zisserman, Multiple View
  /// Geometry, 9.6).
  const Eigen::Matrix3d& epipolar(size_t a, size_t b) const { return epipolar_[a * size() + b]; }

  /// Derivative of N estimated numbers by a camera's pixel of a point.
  template <int N>
  struct PixelSlope {
    size_t camera;
    /// Position of the point, mm.
    Eigen::Vector3d at;
    Eigen::Matrix<double, N, 2> byPixel;
  };
  /// Returns the covariance of the N numbers that follows from the rig's uncertainty alone. N is 3
  /// or 6.
  template <int N>
  Eigen::Matrix<double, N, N> covarianceByRig(std::span<const PixelSlope<N>> slopes) const;

 private:
  void fillVariances(size_t camera, const Eigen::MatrixXd& full);

  Rig rig_;
  std::vector<SpaceCamera> cameras_;
  // Indices of the uncertain numbers.
  std::vector<Eigen::Index> places_;
  // Covariance of the uncertain numbers.
  Eigen::MatrixXd covariance_;
  std::vector<Eigen::Matrix3d> epipolar_;
  double distance_ = 0;
  bool corrects_;
};

/// The shape of a source's images.
struct ImageShape {
  uint32_t width = 0, height = 0;  ///< px
  double pixelAspect = 1;          ///< width of a pixel / its height
};

/// Throws UsageError if the images of the sources differ from those of the rig's cameras in number,
/// size, or shape of pixels. Messages call the rig `name`. `choose` is their hint how to choose
/// other cameras of the rig.
void checkRigImages(const SpaceRig& rig, const std::vector<ImageShape>& images,
                    const std::string& name, const std::string& choose);

}  // namespace glint::motion
