#include "app/motion/space/body_tracker.h"

#include <algorithm>

#include <Eigen/LU>

#include "app/motion/track/assignment.h"

namespace glint::motion {
namespace {

// Returns the mean of the visible markers, relative to the mean of all markers, in the body's axes.
// Markers with two rays are preferred. Returns nothing if no marker is visible.
std::optional<Eigen::Vector3d> seenPoint(const CentredBody& body, const MarkerPoints& markers,
                                         std::span<const BodyPoint> points) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero(), solid = sum;
  int count = 0, solids = 0;
  for (size_t m = 0; m < markers.size(); ++m) {
    if (markers[m] < 0) continue;
    sum += body.markers[m], ++count;
    if (points[static_cast<size_t>(markers[m])].measured) solid += body.markers[m], ++solids;
  }
  if (solids > 0) return solid / solids;
  if (count > 0) return sum / count;
  return std::nullopt;
}

}  // namespace

BodyTracker::BodyTracker(const std::vector<Body>& bodies, const BodyTrackerOptions& options)
    : bodies_(std::make_shared<const std::vector<KnownBody>>(knownBodies(bodies))),
      options_(options),
      finder_(bodies_, options) {
  forget();
}

void BodyTracker::forget() {
  states_.clear();
  for (const KnownBody& known : *bodies_)
    states_.emplace_back().ids.assign(known.body.markers.size(), 0);
  finder_.forget();
}

std::vector<PoseRow> BodyTracker::update(const BodySet& set, std::span<BodyPoint> points) {
  std::map<size_t, PoseRow> byBody;
  for (size_t b = 0; b < states_.size(); ++b)
    if (states_[b].motion)
      if (auto row = follow(b, set, points)) byBody.emplace(b, std::move(*row));
  for (const BodyFinder::Found& found : finder_.find(set, points, states_))
    byBody.emplace(found.body, begin(found.body, set, found.match, points));
  std::vector<PoseRow> rows;
  for (auto& [body, row] : byBody) rows.push_back(std::move(row));
  return rows;
}

std::vector<PoseRow> BodyTracker::predict(const BodySet& set) const {
  std::vector<PoseRow> rows;
  for (size_t b = 0; b < states_.size(); ++b) {
    const BodyState& own = states_[b];
    if (!own.motion || own.alone + set.step > options_.maxAlone) continue;
    BodyMotion motion = *own.motion;
    motion.predict(set.step);
    const KnownBody& known = (*bodies_)[b];
    const BodyMatch match = unseenBody(known.centred.about(motion.point()), motion.place());
    PoseRow row = poseOf(known, set, match, nullptr, {});
    if (row.sigmaAngle() <= options_.maxAngleSigma) rows.push_back(std::move(row));
  }
  return rows;
}

// Starts to follow a body that was lost. Returns its row.
PoseRow BodyTracker::begin(size_t body, const BodySet& set, const BodyMatch& match,
                           std::span<BodyPoint> points) {
  BodyState& own = states_[body];
  const KnownBody& known = (*bodies_)[body];
  BodyPlace first = match.fit.place;
  first.covariance = statedPlace(set.rig, set.floor, known.centred, match.sights, match.fit).images;
  own.motion.emplace(first, options_.motion);
  own.alone = 0;
  std::fill(own.ids.begin(), own.ids.end(), 0);
  take(body, match, points);
  return poseOf(known, set, match, nullptr, points);
}

// Follows a body that was found before. Returns its row, or nothing if the body is lost.
std::optional<PoseRow> BodyTracker::follow(size_t body, const BodySet& set,
                                           std::span<BodyPoint> points) {
  BodyState& own = states_[body];
  const CentredBody& centred = (*bodies_)[body].centred;
  own.motion->predict(set.step);
  const Eigen::Vector3d before = own.motion->point();
  const MarkerPoints claimed = claim(body, centred.about(before), own.motion->place(), points);
  const bool whole = determinePose(centred, claimed, points);
  own.motion->refer(whole ? Eigen::Vector3d(0, 0, 0)
                          : seenPoint(centred, claimed, points).value_or(before));
  const CentredBody about = centred.about(own.motion->point());
  const BodyPlace prior = own.motion->place();
  auto match = matchBody(about, set, points, claimed, prior, &prior, options_.maxMisfit);
  // If a marker's previous point does not fit any more, the point belongs to another marker.
  for (size_t m = 0; match && m < claimed.size(); ++m)
    if (claimed[m] >= 0 && match->markers[m] < 0 &&
        points[static_cast<size_t>(claimed[m])].id == own.ids[m])
      own.ids[m] = 0;
  if (match && complete(body, *match, points)) {
    auto more =
        matchBody(about, set, points, match->markers, match->fit.place, &prior, options_.maxMisfit);
    if (more) match = std::move(more);
  }
  if (!match) match = unseenBody(about, prior);
  own.alone = match->solid >= 2 ? 0 : own.alone + set.step;
  PoseRow row = poseOf((*bodies_)[body], set, *match, match->whole ? nullptr : &prior, points);
  if (own.alone > options_.maxAlone || row.sigmaAngle() > options_.maxAngleSigma) {
    own.motion.reset();
    return std::nullopt;
  }
  if (match->whole) {
    BodyPlace measured = match->fit.place;
    measured.covariance = statedPlace(set.rig, set.floor, about, match->sights, match->fit).images;
    own.motion->update(measured);
  } else if (!match->sights.empty()) {
    own.motion->replace(match->fit.place);
  }
  take(body, *match, points);
  for (BodyPoint& point : points) {
    const auto had = std::find(own.ids.begin(), own.ids.end(), point.id);
    if (point.id == 0 || point.body >= 0 || had == own.ids.end() || !point.sights->empty())
      continue;
    point.body = static_cast<int>(body);
    point.marker = static_cast<int>(had - own.ids.begin());
  }
  return row;
}

// Returns points for the markers of a body: the ones that they had before, or ones near their
// predicted places.
MarkerPoints BodyTracker::claim(size_t body, const CentredBody& about, const BodyPlace& place,
                                std::span<const BodyPoint> points) const {
  const double gate = options_.markerGate;
  const BodyState& own = states_[body];
  const auto reserved = [&](uint64_t id) {
    for (size_t b = 0; b < states_.size(); ++b)
      if (b != body && states_[b].motion &&
          std::find(states_[b].ids.begin(), states_[b].ids.end(), id) != states_[b].ids.end())
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

// Adds points for markers without one, now that the pose is known better. Returns true if any were
// added.
bool BodyTracker::complete(size_t body, BodyMatch& match, std::span<const BodyPoint> points) const {
  const MarkerPoints now = claim(body, match.about, match.fit.place, points);
  bool more = false;
  for (size_t m = 0; m < now.size(); ++m) {
    const bool taken =
        std::find(match.markers.begin(), match.markers.end(), now[m]) != match.markers.end();
    if (match.markers[m] >= 0 || now[m] < 0 || taken) continue;
    // This point of the marker was dropped before because it did not fit.
    const BodyPoint& point = points[static_cast<size_t>(now[m])];
    if (point.id != 0 && point.id == states_[body].ids[m]) continue;
    match.markers[m] = now[m];
    more = true;
  }
  return more;
}

// Marks the points as belonging to the body, and remembers their ids.
void BodyTracker::take(size_t body, const BodyMatch& match, std::span<BodyPoint> points) {
  BodyState& own = states_[body];
  for (size_t m = 0; m < match.markers.size(); ++m) {
    if (match.markers[m] < 0) continue;
    BodyPoint& point = points[static_cast<size_t>(match.markers[m])];
    point.body = static_cast<int>(body);
    point.marker = static_cast<int>(m);
    if (point.id == 0) continue;
    for (uint64_t& id : own.ids)
      if (id == point.id) id = 0;
    own.ids[m] = point.id;
  }
  own.last = match.fit.place.about((*bodies_)[body].centred.middle - match.about.middle);
}

}  // namespace glint::motion
