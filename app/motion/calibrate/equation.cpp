#include "app/motion/calibrate/equation.h"

#include "app/motion/calibrate/blocks.h"

namespace glint::motion {
namespace {

/// Position (mm) and velocity (mm/s) of a light `after` seconds from its moment.
struct Place {
  Eigen::Vector3d at, velocity;
};

Place placeOf(const BundleItem& item, const double* ends, double fraction, double after) {
  const auto blend = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) -> Eigen::Vector3d {
    return a + fraction * (b - a);
  };
  const bool two = item.ends.size() > 1;
  const Eigen::Vector3d first(ends[0], ends[1], ends[2]);
  Place place{first, Eigen::Vector3d::Zero()};
  if (two) place.at = blend(first, {ends[3], ends[4], ends[5]});
  if (item.velocity.empty()) return place;
  const Eigen::Vector3d v = two ? blend(item.velocity[0], item.velocity[1]) : item.velocity[0];
  const Eigen::Vector3d a =
      two ? blend(item.acceleration[0], item.acceleration[1]) : item.acceleration[0];
  place.at += after * v + 0.5 * after * after * a;
  place.velocity = v + after * a;
  return place;
}

}  // namespace

bool equationOf(const BundleSight& s, const BundleItem& item, const Lens& lens, const Pose& pose,
                double time, const double* ends, Equation& e, bool derivatives) {
  // Minimum depth in front of the camera, mm.
  constexpr double kNearest = 1e-3;
  const Place place = placeOf(item, ends, s.fraction, s.delay + time);
  ProjectionDerivatives d;
  const Projection p = project(lens, pose, place.at, derivatives ? &d : nullptr);
  const Eigen::Vector2d weight = s.sigma.cwiseInverse();
  e.residual = weight.cwiseProduct(p.pixel - s.pixel);
  if (!(p.depth > kNearest) || !e.residual.allFinite()) return false;
  if (!derivatives) return true;
  const auto scale = weight.asDiagonal();
  e.lens = scale * lensSlopes(lens, d);
  e.pose = scale * d.pose;
  e.time = scale * (d.point * place.velocity);
  e.item.leftCols<3>() = (1 - s.fraction) * (scale * d.point);
  e.item.rightCols<3>() = s.fraction * (scale * d.point);
  return true;
}

std::optional<Eigen::Vector2d> residualOf(const Bundle& bundle, const BundleSight& s) {
  const BundleCamera& camera = bundle.cameras[s.camera];
  const BundleItem& item = bundle.items[s.item];
  const auto ends = endsOf(item);
  Equation e;
  if (!equationOf(s, item, camera.lens, camera.pose, latenessOf(camera, s), ends.data(), e, false))
    return std::nullopt;
  return e.residual.cwiseProduct(s.sigma);
}

std::array<double, 6> endsOf(const BundleItem& item) {
  std::array<double, 6> numbers{};
  for (size_t e = 0; e < item.ends.size(); ++e)
    for (size_t i = 0; i < 3; ++i) numbers[3 * e + i] = item.ends[e][static_cast<Eigen::Index>(i)];
  return numbers;
}

double baseResidual(const BaseLine& base, const Pose& first, const Pose& second) {
  // Standard deviation of the distance, as a share of it.
  constexpr double kExact = 1e-6;
  return ((first.centre() - second.centre()).norm() / base.distance - 1) / kExact;
}

}  // namespace glint::motion
