#include "app/motion/space/body_tracker.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "app/motion/geometry/rotation.h"
#include "app/motion/space/body_doubts.h"
#include "app/motion/space/chi2.h"
#include "app/motion/track/assignment.h"

namespace glint::motion {
BodyTracker::BodyTracker(std::shared_ptr<const std::vector<Body>> bodies,
                         const BodyTrackerOptions& options)
    : bodies_(std::move(bodies)), options_(options) {
  for (size_t b = 0; b < bodies_->size(); ++b) {
    const Body& body = (*bodies_)[b];
    centred_.emplace_back(body);
    symmetric_.push_back(fitsInto(body, body));
    kinds_.push_back(b);
    for (size_t kind = 0; kind < b && kinds_[b] == b; ++kind)
      if (fitsInto(body, (*bodies_)[kind]) && fitsInto((*bodies_)[kind], body)) kinds_[b] = kind;
    onKind_.push_back(kinds_[b] == b ? BodyGuess() : layOn(body, (*bodies_)[kinds_[b]]));
  }
  forget();
}

void BodyTracker::forget() {
  followed_.clear();
  for (const Body& body : *bodies_) {
    followed_.emplace_back();
    followed_.back().ids.assign(body.markers.size(), 0);
  }
}

std::vector<PoseRow> BodyTracker::update(const Set& set, std::span<BodyPoint> points) {
  std::vector<PoseRow> rows;
  for (size_t b = 0; b < followed_.size(); ++b) {
    if (!followed_[b].motion) continue;
    PoseRow row;
    if (follow(b, set, points, row)) rows.push_back(std::move(row));
  }
  search(set, points, rows);
  const auto place = [&](const PoseRow& row) {
    return std::find_if(bodies_->begin(), bodies_->end(),
                        [&](const Body& body) { return body.name == row.body; });
  };
  std::sort(rows.begin(), rows.end(),
            [&](const PoseRow& a, const PoseRow& b) { return place(a) < place(b); });
  return rows;
}

// Returns the points of the markers of a body: those that it had, and those where a marker should
// be.
BodyTracker::Markers BodyTracker::claim(size_t body, const CentredBody& about,
                                        const BodyPlace& place,
                                        std::span<const BodyPoint> points) const {
  const double gate = options_.markerGate;
  const Followed& own = followed_[body];
  const auto reserved = [&](uint64_t id) {
    for (size_t b = 0; b < followed_.size(); ++b)
      if (b != body && followed_[b].motion &&
          std::find(followed_[b].ids.begin(), followed_[b].ids.end(), id) != followed_[b].ids.end())
        return true;
    return false;
  };
  std::vector<AllowedPair> pairs;
  for (size_t p = 0; p < points.size(); ++p) {
    const BodyPoint& point = points[p];
    if (point.body >= 0 || point.sights->empty() || (point.id != 0 && reserved(point.id))) continue;
    for (size_t m = 0; m < own.ids.size(); ++m) {
      const Eigen::Vector3d& marker = about.markers[m];
      const bool kept = point.id != 0 && own.ids[m] == point.id;
      Eigen::Matrix3d total = place.covarianceAt(marker) + point.covariance;
      total.diagonal().array() += about.sigma * about.sigma;
      const Eigen::Vector3d off = point.at - place.apply(marker);
      const double chi2 = off.dot(total.inverse() * off);
      if (!kept && !(chi2 < gate)) continue;
      pairs.push_back({static_cast<int>(m), static_cast<int>(p),
                       std::min(chi2, gate) - gate - (kept ? options_.keptPoint : 0)});
    }
  }
  return assign(static_cast<int>(own.ids.size()), static_cast<int>(points.size()), pairs);
}

// Returns true if the points that two cameras see determine the pose: three or more that are not on
// one line.
bool BodyTracker::determines(const CentredBody& body, const Markers& markers,
                             std::span<const BodyPoint> points) {
  std::vector<Eigen::Vector3d> solid;
  for (size_t m = 0; m < markers.size(); ++m)
    if (markers[m] >= 0 && points[static_cast<size_t>(markers[m])].measured)
      solid.push_back(body.markers[m]);
  return !onOneLine(solid);
}

// Fits the pose to the rays of the markers, and drops those that do not fit, the worst ones first.
// Returns nothing if the rest does not determine the pose, together with `prior` unless it is null.
std::optional<BodyTracker::Found> BodyTracker::fit(const CentredBody& about, const Set& set,
                                                   std::span<const BodyPoint> points,
                                                   Markers markers, const BodyPlace& start,
                                                   const BodyPlace* prior) const {
  while (true) {
    Found found{.about = about, .markers = {}, .fit = {}, .sights = {}};
    std::vector<int> rays(markers.size());
    for (size_t m = 0; m < markers.size(); ++m) {
      if (markers[m] < 0) continue;
      const BodyPoint& point = points[static_cast<size_t>(markers[m])];
      for (const Sight& sight : *point.sights) found.sights.push_back({m, sight});
      rays[m] = static_cast<int>(point.sights->size());
      ++found.seen;
      found.solid += point.measured;
    }
    found.whole = determines(about, markers, points);
    if (found.sights.empty() || (!found.whole && prior == nullptr)) return std::nullopt;
    auto fitted = fitBody(set.rig, about, found.sights, start, found.whole ? nullptr : prior);
    size_t worst = 0;
    double most = fitted ? 1 : 0;
    for (size_t m = 0; m < markers.size(); ++m) {
      if (markers[m] < 0) continue;
      const double off =
          fitted ? fitted->byMarker[m] / chi2Limit(2 * rays[m], options_.maxMisfit) : 1;
      if (off > most) most = off, worst = m;
    }
    if (fitted && most <= 1) {
      found.fit = std::move(*fitted);
      found.markers = std::move(markers);
      return found;
    }
    markers[worst] = -1;
  }
}

// Adds points for the markers without one, now that the place is known. Returns true if there are
// any.
bool BodyTracker::complete(size_t body, Found& found, std::span<const BodyPoint> points) const {
  const Markers now = claim(body, found.about, found.fit.place, points);
  bool more = false;
  for (size_t m = 0; m < now.size(); ++m) {
    const bool taken =
        std::find(found.markers.begin(), found.markers.end(), now[m]) != found.markers.end();
    if (found.markers[m] >= 0 || now[m] < 0 || taken) continue;
    // The old point of the marker was dropped because it did not fit.
    const BodyPoint& point = points[static_cast<size_t>(now[m])];
    if (point.id != 0 && point.id == followed_[body].ids[m]) continue;
    found.markers[m] = now[m];
    more = true;
  }
  return more;
}

// Returns the row of a body. Its place is that of the origin of its axes.
PoseRow BodyTracker::rowOf(size_t body, const Set& set, const Found& found, const BodyPlace* prior,
                           std::span<const BodyPoint> points) const {
  const CentredBody& own = found.about;
  const BodyPlace& place = found.fit.place;
  const Matrix6 covariance =
      found.sights.empty()
          ? place.covariance
          : statedPlace(set.rig, set.floor, own, found.sights, found.fit, prior).all();
  const Eigen::Vector3d arm = place.rotation * own.middle;  // from the origin
  Matrix6 shift = Matrix6::Identity();
  shift.topRightCorner<3, 3>() = crossMatrix(arm);
  PoseRow row{.frame = set.frame,
              .time = set.time,
              .body = (*bodies_)[body].name,
              .at = place.centre - arm,
              .attitude = Eigen::Quaterniond(place.rotation).normalized(),
              .covariance = shift * covariance * shift.transpose(),
              .markers = found.seen,
              .state = found.whole       ? PoseState::measured
                       : found.solid > 0 ? PoseState::partial
                                         : PoseState::predicted,
              .flags = symmetric_[body] ? unsigned{kFitsAnotherPose} : 0};
  if (row.attitude.w() < 0) row.attitude.coeffs() = -row.attitude.coeffs();
  double squares = 0;
  for (size_t m = 0; m < found.markers.size(); ++m) {
    if (found.markers[m] < 0) continue;
    const BodyPoint& point = points[static_cast<size_t>(found.markers[m])];
    if (point.measured) squares += (point.at - place.apply(own.markers[m])).squaredNorm();
  }
  if (found.solid > 0) row.residual = std::sqrt(squares / found.solid);
  return row;
}

// Gives the points to the body.
void BodyTracker::take(size_t body, const Found& found, std::span<BodyPoint> points) {
  Followed& own = followed_[body];
  for (size_t m = 0; m < found.markers.size(); ++m) {
    if (found.markers[m] < 0) continue;
    BodyPoint& point = points[static_cast<size_t>(found.markers[m])];
    point.body = static_cast<int>(body);
    point.marker = static_cast<int>(m);
    if (point.id == 0) continue;
    for (uint64_t& id : own.ids)
      if (id == point.id) id = 0;
    own.ids[m] = point.id;
  }
  own.last = found.fit.place.about(centred_[body].middle - found.about.middle);
}

// Returns a body at a predicted place, without any marker that is seen.
BodyTracker::Found BodyTracker::unseen(const CentredBody& about, const BodyPlace& place) {
  Found found{
      .about = about, .markers = Markers(about.markers.size(), -1), .fit = {}, .sights = {}};
  found.fit.place = place;
  return found;
}

std::vector<PoseRow> BodyTracker::foretell(const Set& set) const {
  std::vector<PoseRow> rows;
  for (size_t b = 0; b < followed_.size(); ++b) {
    const Followed& own = followed_[b];
    if (!own.motion || own.alone + set.step > options_.maxAlone) continue;
    BodyMotion motion = *own.motion;
    motion.predict(set.step);
    const Found found = unseen(centred_[b].about(motion.point()), motion.place());
    PoseRow row = rowOf(b, set, found, nullptr, {});
    if (row.sigmaAngle() <= options_.maxAngleSigma) rows.push_back(std::move(row));
  }
  return rows;
}

// Returns a point of the body that is seen, relative to the mean of the markers, in the body's
// axes.
Eigen::Vector3d BodyTracker::seenPoint(size_t body, const Markers& markers,
                                       std::span<const BodyPoint> points) const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero(), solid = sum;
  int count = 0, solids = 0;
  for (size_t m = 0; m < markers.size(); ++m) {
    if (markers[m] < 0) continue;
    sum += centred_[body].markers[m], ++count;
    if (points[static_cast<size_t>(markers[m])].measured)
      solid += centred_[body].markers[m], ++solids;
  }
  return solids > 0 ? solid / solids : count > 0 ? sum / count : followed_[body].motion->point();
}

// Follows a body that was found before. Returns false if it is lost.
bool BodyTracker::follow(size_t body, const Set& set, std::span<BodyPoint> points, PoseRow& row) {
  Followed& own = followed_[body];
  own.motion->predict(set.step);
  const Eigen::Vector3d before = own.motion->point();
  const Markers claimed = claim(body, centred_[body].about(before), own.motion->place(), points);
  const bool whole = determines(centred_[body], claimed, points);
  own.motion->refer(whole ? Eigen::Vector3d(0, 0, 0) : seenPoint(body, claimed, points));
  const CentredBody about = centred_[body].about(own.motion->point());
  const BodyPlace prior = own.motion->place();
  auto found = fit(about, set, points, claimed, prior, &prior);
  // A point that the body had and that does not fit belongs to another marker.
  for (size_t m = 0; found && m < claimed.size(); ++m)
    if (claimed[m] >= 0 && found->markers[m] < 0 &&
        points[static_cast<size_t>(claimed[m])].id == own.ids[m])
      own.ids[m] = 0;
  if (found && complete(body, *found, points)) {
    auto more = fit(about, set, points, found->markers, found->fit.place, &prior);
    if (more) found = std::move(more);
  }
  if (!found) found = unseen(about, prior);
  own.alone = found->solid >= 2 ? 0 : own.alone + set.step;
  row = rowOf(body, set, *found, found->whole ? nullptr : &prior, points);
  if (own.alone > options_.maxAlone || row.sigmaAngle() > options_.maxAngleSigma) {
    own.motion.reset();
    return false;
  }
  if (found->whole) {
    BodyPlace measured = found->fit.place;
    measured.covariance = statedPlace(set.rig, set.floor, about, found->sights, found->fit).images;
    own.motion->update(measured);
  } else if (!found->sights.empty()) {
    own.motion->replace(found->fit.place);
  }
  take(body, *found, points);
  for (BodyPoint& point : points) {
    const auto had = std::find(own.ids.begin(), own.ids.end(), point.id);
    if (point.id == 0 || point.body >= 0 || had == own.ids.end() || !point.sights->empty())
      continue;
    point.body = static_cast<int>(body);
    point.marker = static_cast<int>(had - own.ids.begin());
  }
  return true;
}

}  // namespace glint::motion
