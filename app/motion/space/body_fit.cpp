#include "app/motion/space/body_fit.h"

#include <array>

#include <Eigen/Geometry>

#include "app/motion/geometry/rotation.h"

namespace glint::motion {
namespace {

/// The linear equation that one coordinate of a sight adds to the fit.
struct Row {
  Vector6 slope;            // derivative of the pixel with respect to the pose
  Eigen::Vector3d byPoint;  // derivative of the pixel with respect to the marker's place, 1/mm
  double off = 0;           // residual, px
  double weight = 0;        // reciprocal of the residual's variance, 1/px^2
};

struct SeenSight {
  std::array<Row, 2> rows;
};

/// Returns both equations of a sight, or nothing if the camera does not see the marker.
std::optional<SeenSight> linearise(const SpaceRig& rig, const CentredBody& body,
                                   const BodySight& one, const BodyPlace& place) {
  const Eigen::Vector3d arm = place.rotation * body.markers[one.marker];
  const auto seen = rig[one.sight.camera].see(place.centre + arm + one.sight.shift);
  if (!seen) return std::nullopt;
  SeenSight rows;
  for (int k = 0; k < 2; ++k) {
    Row& row = rows.rows[static_cast<size_t>(k)];
    row.byPoint = seen->slope.row(k);
    // The second half follows from slope . (w x arm) = w . (arm x slope), for a small rotation w.
    row.slope << row.byPoint, arm.cross(row.byPoint);
    row.off = one.sight.pixel[k] - seen->pixel[k];
    row.weight = 1 / (one.sight.total[k] + body.sigma * body.sigma * row.byPoint.squaredNorm());
  }
  return rows;
}

/// Returns the difference of two poses: of the positions (mm), then of the rotations (rad).
Vector6 between(const BodyPlace& from, const BodyPlace& to) {
  Vector6 off;
  off << to.centre - from.centre, rodriguesOf(to.rotation * from.rotation.transpose());
  return off;
}

}  // namespace

CentredBody::CentredBody(const Body& body) : middle(body.centre()), sigma(body.sigma) {
  for (const Body::Marker& marker : body.markers) markers.push_back(marker.at - middle);
}

CentredBody CentredBody::about(const Eigen::Vector3d& point) const {
  CentredBody other = *this;
  for (Eigen::Vector3d& marker : other.markers) marker -= point;
  other.middle += point;
  return other;
}

BodyPlace BodyPlace::about(const Eigen::Vector3d& point) const {
  Matrix6 shift = Matrix6::Identity();
  shift.topRightCorner<3, 3>() = -crossMatrix(rotation * point);
  return {rotation, apply(point), shift * covariance * shift.transpose()};
}

Eigen::Matrix3d BodyPlace::covarianceAt(const Eigen::Vector3d& marker) const {
  Eigen::Matrix<double, 3, 6> slope;
  slope << Eigen::Matrix3d::Identity(), -crossMatrix(rotation * marker);
  return slope * covariance * slope.transpose();
}

std::optional<BodyFit> fitBody(const SpaceRig& rig, const CentredBody& body,
                               std::span<const BodySight> sights, const BodyPlace& start,
                               const BodyPlace* prior) {
  // Maximum number of steps. Raising it takes longer for sightings that do not fit together.
  constexpr int kMostSteps = 15;
  // Square of the last step's length in units of the pose's uncertainty: a hundredth.
  constexpr double kClose = 1e-4;
  // Maximum rotation in one step, rad. After a larger one the derivatives would be meaningless.
  constexpr double kMostTurn = 0.7;
  const Matrix6 priorInformation = prior ? inverseOf(prior->covariance) : Matrix6::Zero();
  BodyFit fit{.place = start, .chi2 = 0, .byMarker = {}};
  for (int step = 0; step < kMostSteps; ++step) {
    Matrix6 matrix = priorInformation;
    Vector6 right = Vector6::Zero();
    if (prior) right = priorInformation * between(fit.place, *prior);
    fit.chi2 = 0;
    fit.byMarker.assign(body.markers.size(), 0);
    for (const BodySight& one : sights) {
      const auto seen = linearise(rig, body, one, fit.place);
      if (!seen) return std::nullopt;
      for (const Row& row : seen->rows) {
        matrix.noalias() += (row.weight * row.slope) * row.slope.transpose();
        right += (row.weight * row.off) * row.slope;
        fit.byMarker[one.marker] += row.weight * row.off * row.off;
      }
    }
    for (const double one : fit.byMarker) fit.chi2 += one;
    // The numbers are in millimetres and radians. They are scaled to correlations, which have no
    // units.
    const Vector6 scale = matrix.diagonal().cwiseMax(1e-12).cwiseSqrt().cwiseInverse();
    const Matrix6 plain = scale.asDiagonal() * matrix * scale.asDiagonal();
    const SymmetricSolver solver(plain);
    // Smallest eigenvalue of the scaled matrix from which the pose is determined. Raising it
    // rejects more poses.
    constexpr double kSingular = 1e-9;
    const std::optional<double> smallest = solver.smallest();
    if (!smallest || !(*smallest > kSingular)) return std::nullopt;
    Vector6 change = scale.asDiagonal() * solver.solve(scale.asDiagonal() * right);
    if (!change.allFinite()) return std::nullopt;
    const double gain = change.dot(right);
    const double turn = change.tail<3>().norm();
    if (turn > kMostTurn) change *= kMostTurn / turn;
    fit.place.centre += change.head<3>();
    fit.place.rotation = rotationOf(change.tail<3>()) * fit.place.rotation;
    if (gain > kClose) continue;
    fit.place.covariance = scale.asDiagonal() * solver.inverse() * scale.asDiagonal();
    return fit;
  }
  return std::nullopt;
}

StatedPlace statedPlace(const SpaceRig& rig, const NoiseFloor& floor, const CentredBody& body,
                        std::span<const BodySight> sights, const BodyFit& fit,
                        const BodyPlace* prior) {
  StatedPlace stated{Matrix6::Zero(), Matrix6::Zero(), Matrix6::Zero()};
  const Matrix6& own = fit.place.covariance;
  std::vector<SpaceRig::PixelSlope<6>> slopes;
  std::vector<Eigen::Matrix<double, 6, 3>> byMarker(body.markers.size(),
                                                    Eigen::Matrix<double, 6, 3>::Zero());
  for (const BodySight& one : sights) {
    const auto seen = linearise(rig, body, one, fit.place);
    if (!seen) continue;
    Eigen::Matrix<double, 6, 2> byPixel;
    for (int k = 0; k < 2; ++k) {
      const Row& row = seen->rows[static_cast<size_t>(k)];
      byPixel.col(k) = own * row.slope * row.weight;
      byMarker[one.marker] += byPixel.col(k) * row.byPoint.transpose();
      const double noise = one.sight.variance[k] + floor.variance(one.sight.camera);
      stated.images += noise * byPixel.col(k) * byPixel.col(k).transpose();
    }
    slopes.push_back({one.sight.camera, fit.place.apply(body.markers[one.marker]), -byPixel});
  }
  if (prior) stated.images += own * inverseOf(prior->covariance) * own;
  for (const auto& slope : byMarker)
    stated.body += body.sigma * body.sigma * slope * slope.transpose();
  stated.rig = rig.covarianceByRig<6>(slopes);
  return stated;
}

}  // namespace glint::motion
