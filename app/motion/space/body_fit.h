// Where a rigid body is, from all rays to its markers.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/motion/geometry/decomposition.h"
#include "app/motion/space/body.h"
#include "app/motion/space/estimate.h"

namespace glint::motion {

/// Of a body whose markers are given about one of its points: world = rotation * marker + centre.
/// Covariances are of that point (mm), then of a small rotation on the left (rad, world axes).
struct BodyPlace {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d centre{0, 0, 0};  ///< mm
  Matrix6 covariance = Matrix6::Zero();

  Eigen::Vector3d apply(const Eigen::Vector3d& marker) const { return rotation * marker + centre; }
  /// The same about a point that lies so in the body's axes from the present one.
  BodyPlace about(const Eigen::Vector3d& point) const;
  /// Of a marker's place, mm^2.
  Eigen::Matrix3d covarianceAt(const Eigen::Vector3d& marker) const;
};

/// One camera's ray to a marker.
struct BodySight {
  size_t marker = 0;
  Sight sight;
};

struct BodyFit {
  BodyPlace place;               ///< its covariance by what weighs the sights, and the prior's
  double chi2 = 0;               ///< of the sights; 2 n - 6 are free without a prior
  std::vector<double> byMarker;  ///< chi2
};

/// A body about one of its points.
struct CentredBody {
  std::vector<Eigen::Vector3d> markers;  ///< mm, from there
  Eigen::Vector3d middle;                ///< the point in the body's own axes
  double sigma;                          ///< mm, of each coordinate

  /// About the mean of its markers.
  explicit CentredBody(const Body& body);
  CentredBody about(const Eigen::Vector3d& point) const;
};

/// The place of least chi2 over residuals in the images, by Gauss-Newton from `start` on; with
/// `prior`, that counts like measurements. Empty where the sights do not determine it or it comes
/// to lie behind a camera. Weights: Sight::total, and what the body's sigma does to the image.
std::optional<BodyFit> fitBody(const SpaceRig& rig, const CentredBody& body,
                               std::span<const BodySight> sights, const BodyPlace& start,
                               const BodyPlace* prior = nullptr);

/// What is known of the place: from images and floor as repeated frames scatter, and the body's and
/// the rig's uncertainty, which frames share. By propagation through the fit, as for points.
struct StatedPlace {
  Matrix6 images, body, rig;
  Matrix6 all() const { return images + body + rig; }
};
StatedPlace statedPlace(const SpaceRig& rig, const NoiseFloor& floor, const CentredBody& body,
                        std::span<const BodySight> sights, const BodyFit& fit,
                        const BodyPlace* prior = nullptr);

}  // namespace glint::motion
