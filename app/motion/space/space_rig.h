// A rig as points are computed with it: quick projections, and what its uncertainty does to them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/motion/geometry/rig.h"

namespace glint::motion {

/// Where a camera sees a point.
struct PointImage {
  Eigen::Vector2d pixel;
  double depth;                       ///< mm, above 0
  Eigen::Matrix<double, 2, 3> slope;  ///< of the pixel by the point
};

class SpaceCamera {
 public:
  explicit SpaceCamera(RigCamera camera);

  const RigCamera& camera() const { return camera_; }
  const Eigen::Matrix3d& rotation() const { return rotation_; }
  const Eigen::Vector3d& centre() const { return centre_; }

  /// Empty for what is behind it, or so far aside that a strong lens would fold it into the image.
  std::optional<PointImage> see(const Eigen::Vector3d& point) const;
  /// Whether a pixel is in the image, so many px from its border at least.
  bool holds(const Eigen::Vector2d& pixel, double margin) const;

  /// px^2 along x and y: what the rig's uncertainty does to this camera's image of a point in the
  /// middle of the volume that is seen there.
  Eigen::Vector2d rigVariance(const Eigen::Vector2d& pixel) const;

 private:
  friend class SpaceRig;
  static constexpr int kCells = 8;  // of the grid of variances, each way

  RigCamera camera_;
  Eigen::Matrix3d rotation_;
  Eigen::Vector3d centre_;
  double farthest_ = 0;  // of a^2 + b^2 (see Lens)
  std::vector<Eigen::Vector2d> variances_;
};

class SpaceRig {
 public:
  /// `corrects`: who computes points with it may replace it by one whose moved cameras are
  /// corrected. Throws Error as fullCovariance() does.
  explicit SpaceRig(Rig rig, bool corrects = false);

  size_t size() const { return cameras_.size(); }
  const SpaceCamera& operator[](size_t camera) const { return cameras_[camera]; }
  const Rig& rig() const { return rig_; }
  bool corrects() const { return corrects_; }
  /// Whether the share of its errors in what is computed with it is known.
  bool hasCovariance() const { return !places_.empty() || rig_.exact; }
  /// mm, from a camera to the middle of what all look at, on average.
  double distance() const { return distance_; }
  /// Returns the matrix that makes x_b^T matrix x_a 0 for the (a, b, 1) of one point in the images
  /// of two cameras, a < b (Hartley and Zisserman, Multiple View Geometry, 9.6).
  const Eigen::Matrix3d& epipolar(size_t a, size_t b) const { return epipolar_[a * size() + b]; }

  /// How N estimated numbers move with a camera's pixel of a point.
  template <int N>
  struct PixelSlope {
    size_t camera;
    Eigen::Vector3d at;  ///< mm, the point
    Eigen::Matrix<double, N, 2> byPixel;
  };
  /// Their covariance from the rig's uncertainty alone. N: 3 or 6.
  template <int N>
  Eigen::Matrix<double, N, N> covarianceByRig(std::span<const PixelSlope<N>> slopes) const;

 private:
  void fillVariances(size_t camera, const Eigen::MatrixXd& full);

  Rig rig_;
  std::vector<SpaceCamera> cameras_;
  std::vector<Eigen::Index> places_;  // of the numbers that are uncertain
  Eigen::MatrixXd covariance_;        // of these
  std::vector<Eigen::Matrix3d> epipolar_;
  double distance_ = 0;
  bool corrects_;
};

/// Throws UsageError if the images of the sources (width and height, px) are not those of the rig's
/// cameras, in number and size. Messages call the rig `name`, and say with `choose` how other
/// cameras of it are chosen.
void checkRigImages(const SpaceRig& rig, const std::vector<std::pair<uint32_t, uint32_t>>& sizes,
                    const std::string& name, const std::string& choose);

}  // namespace glint::motion
