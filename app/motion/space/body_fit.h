// Fits the pose of a rigid body to all rays to its markers.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/motion/geometry/decomposition.h"
#include "app/motion/space/body.h"
#include "app/motion/space/estimate.h"

namespace glint::motion {

/// The pose of a body. Markers are given relative to a reference point of the body: world =
/// rotation * marker + centre. The covariance is that of the reference point (mm), followed by a
/// small rotation applied on the left (rad, about the world's axes).
struct BodyPlace {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  /// Position of the reference point, mm.
  Eigen::Vector3d centre{0, 0, 0};
  Matrix6 covariance = Matrix6::Zero();

  Eigen::Vector3d apply(const Eigen::Vector3d& marker) const { return rotation * marker + centre; }
  /// Returns the same pose with another reference point. `point` is its position relative to the
  /// present one, in the body's axes (mm).
  BodyPlace about(const Eigen::Vector3d& point) const;
  /// Returns the covariance of a marker's position, mm^2.
  Eigen::Matrix3d covarianceAt(const Eigen::Vector3d& marker) const;
};

/// A ray from a camera to a marker.
struct BodySight {
  size_t marker = 0;
  Sight sight;
};

struct BodyFit {
  /// The fitted place. Its covariance follows from the weights of the sights and from the prior.
  BodyPlace place;
  /// Sum over the sights. Without a prior it has 2 n - 6 degrees of freedom for n sights.
  double chi2 = 0;
  /// The part of chi2 that belongs to each marker.
  std::vector<double> byMarker;
};

/// A body whose markers are given relative to a reference point.
struct CentredBody {
  /// Positions relative to the reference point, mm.
  std::vector<Eigen::Vector3d> markers;
  /// Position of the reference point in the body's own axes, mm.
  Eigen::Vector3d middle;
  /// Standard deviation of each coordinate, mm.
  double sigma;

  /// Uses the mean of the markers as the reference point.
  explicit CentredBody(const Body& body);
  /// Returns the body with another reference point, at `point` relative to the present one (mm).
  CentredBody about(const Eigen::Vector3d& point) const;
};

/// Returns the pose with the smallest sum of squared weighted residuals in the images, found by
/// Gauss-Newton steps from `start`. If `prior` is not null, it counts like measurements. The
/// variance of a residual is Sight::total plus the effect of the body's sigma. Returns nothing if
/// the sights do not determine the pose or a marker comes to lie behind a camera.
std::optional<BodyFit> fitBody(const SpaceRig& rig, const CentredBody& body,
                               std::span<const BodySight> sights, const BodyPlace& start,
                               const BodyPlace* prior = nullptr);

/// The uncertainty of a fitted pose in three parts. `images` comes from images and noise floor, and
/// differs from frame to frame. `body` and `rig` come from the uncertainty of the body and of the
/// rig, which are the same in all frames. It is propagated through the fit, as for points.
struct StatedPlace {
  Matrix6 images, body, rig;
  Matrix6 all() const { return images + body + rig; }
};
/// Returns the covariances of a pose that fitBody() found with the same `sights` and `prior`.
StatedPlace statedPlace(const SpaceRig& rig, const NoiseFloor& floor, const CentredBody& body,
                        std::span<const BodySight> sights, const BodyFit& fit,
                        const BodyPlace* prior = nullptr);

}  // namespace glint::motion
