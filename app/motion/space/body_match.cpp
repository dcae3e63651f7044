#include "app/motion/space/body_match.h"

#include <cmath>
#include <utility>

#include "app/motion/geometry/rotation.h"
#include "app/motion/space/chi2.h"

namespace glint::motion {

bool determinePose(const CentredBody& body, const MarkerPoints& markers,
                   std::span<const BodyPoint> points) {
  std::vector<Eigen::Vector3d> solid;
  for (size_t m = 0; m < markers.size(); ++m)
    if (markers[m] >= 0 && points[static_cast<size_t>(markers[m])].measured)
      solid.push_back(body.markers[m]);
  return !onOneLine(solid);
}

std::optional<BodyMatch> matchBody(const CentredBody& about, const BodySet& set,
                                   std::span<const BodyPoint> points, MarkerPoints markers,
                                   const BodyPlace& start, const BodyPlace* prior,
                                   double maxMisfit) {
  while (true) {
    BodyMatch match{.about = about, .markers = {}, .fit = {}, .sights = {}};
    std::vector<int> rays(markers.size());
    for (size_t m = 0; m < markers.size(); ++m) {
      if (markers[m] < 0) continue;
      const BodyPoint& point = points[static_cast<size_t>(markers[m])];
      for (const Sight& sight : *point.sights) match.sights.push_back({m, sight});
      rays[m] = static_cast<int>(point.sights->size());
      ++match.seen;
      match.solid += point.measured;
    }
    match.whole = determinePose(about, markers, points);
    if (match.sights.empty() || (!match.whole && prior == nullptr)) return std::nullopt;
    auto fitted = fitBody(set.rig, about, match.sights, start, match.whole ? nullptr : prior);
    size_t worst = 0;
    double most = fitted ? 1 : 0;
    for (size_t m = 0; m < markers.size(); ++m) {
      if (markers[m] < 0) continue;
      const double off = fitted ? fitted->byMarker[m] / chi2Limit(2 * rays[m], maxMisfit) : 1;
      if (off > most) most = off, worst = m;
    }
    if (fitted && most <= 1) {
      match.fit = std::move(*fitted);
      match.markers = std::move(markers);
      return match;
    }
    markers[worst] = -1;
  }
}

BodyMatch unseenBody(const CentredBody& about, const BodyPlace& place) {
  BodyMatch match{
      .about = about, .markers = MarkerPoints(about.markers.size(), -1), .fit = {}, .sights = {}};
  match.fit.place = place;
  return match;
}

PoseRow poseOf(const KnownBody& known, const BodySet& set, const BodyMatch& match,
               const BodyPlace* prior, std::span<const BodyPoint> points) {
  const CentredBody& own = match.about;
  const BodyPlace& place = match.fit.place;
  const Matrix6 covariance =
      match.sights.empty()
          ? place.covariance
          : statedPlace(set.rig, set.floor, own, match.sights, match.fit, prior).all();
  // The vector from the origin to the reference point.
  const Eigen::Vector3d arm = place.rotation * own.middle;
  Matrix6 shift = Matrix6::Identity();
  shift.topRightCorner<3, 3>() = crossMatrix(arm);
  PoseRow row{.frame = set.frame,
              .time = set.time,
              .body = known.body.name,
              .at = place.centre - arm,
              .attitude = Eigen::Quaterniond(place.rotation).normalized(),
              .covariance = shift * covariance * shift.transpose(),
              .markers = match.seen,
              .state = match.whole       ? PoseState::measured
                       : match.solid > 0 ? PoseState::partial
                                         : PoseState::predicted,
              .flags = known.symmetric ? unsigned{kFitsAnotherPose} : 0};
  if (row.attitude.w() < 0) row.attitude.coeffs() = -row.attitude.coeffs();
  double squares = 0;
  for (size_t m = 0; m < match.markers.size(); ++m) {
    if (match.markers[m] < 0) continue;
    const BodyPoint& point = points[static_cast<size_t>(match.markers[m])];
    if (point.measured) squares += (point.at - place.apply(own.markers[m])).squaredNorm();
  }
  if (match.solid > 0) row.residual = std::sqrt(squares / match.solid);
  return row;
}

}  // namespace glint::motion
