#include "app/motion/space/point_tracker.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/LU>

#include "app/base/quantile.h"
#include "app/motion/track/assignment.h"

namespace glint::motion {

PointTracker::PointTracker(std::shared_ptr<const SpaceRig> rig, const Settings::Track& settings,
                           bool stills, bool refused,
                           std::shared_ptr<const std::vector<Body>> bodies,
                           const PointTrackerOptions& options)
    : rig_(std::move(rig)),
      geometry_(*rig_),
      settings_(settings),
      options_(options),
      stills_(stills),
      keepRefused_(refused),
      floor_(rig_->size()),
      stitcher_(stills ? 0 : settings.stitchGap, options.stitching),
      claimed_(options.priorClaimed),
      expected_(options.priorExpected),
      moveDetector_(rig_->size()),
      doubts_(rig_->size()) {
  if (stills_) settings_.confirm = 1;
  if (bodies && !bodies->empty()) bodies_.emplace(std::move(bodies), options.bodies);
}

void PointTracker::apply(const Settings::Track& settings) {
  settings_ = settings;
  if (stills_) settings_.confirm = 1;
  stitcher_.setMaxGap(stills_ ? 0 : settings.stitchGap);
}

void PointTracker::update(const SpaceSet& set) {
  if (set.empty()) return foretellBodies(set.frame);
  const uint64_t frameBefore = std::exchange(frame_, set.frame);
  const double timeBefore = time_;
  fresh_ = frame_;
  ++sets_;
  time_ = set.time();
  flags_ = 0;
  const double spread = set.spread();
  worstSpread_ = std::max(worstSpread_, spread);
  if (spread > options_.sameTime) flags_ |= kTimesApart;
  if (!rig_->hasCovariance()) flags_ |= kRigUnknown;
  step_ = clock_.advance(FrameNumber(set.frame), time_);
  if (bodies_ && sets_ > 1) fillPoses(frameBefore, timeBefore);
  for (PointTrack& track : tracks_) track.predict(step_);
  DotIndex dots(*rig_, floor_, set);
  claim(set, dots);
  takeGroups(dots);
  watch(set, dots);
  for (size_t k = 0; k < tracks_.size(); ++k)
    if (!measured_[k]) tracks_[k].miss(frame_, time_, camerasOf(rays_[k]), flags_);
  floor_.learn();
  end();
  confirm();
  followBodies();
  release();
  if (stills_) finish();
}

// Gives dots to the tracks whose motion is known, near their predictions.
void PointTracker::claim(const SpaceSet& set, DotIndex& dots) {
  const double gate = options_.claimGate, maxSigma = options_.maxClaimSigma;
  measured_.assign(tracks_.size(), 0);
  rays_.assign(tracks_.size(), {});
  std::vector<AllowedPair> pairs;
  for (size_t c = 0; c < rig_->size(); ++c) {
    if (dots.of(c).empty()) continue;
    pairs.clear();
    std::vector<Eigen::Vector3d> shifts(tracks_.size());
    for (size_t k = 0; k < tracks_.size(); ++k) {
      const PointTrack& track = tracks_[k];
      if (!track.established()) continue;
      shifts[k] = (set.views[c].time - time_) * track.filter().velocity();
      const auto seen = (*rig_)[c].see(track.filter().position() + shifts[k]);
      if (!seen) continue;
      const Eigen::Matrix2d own =
          seen->slope * track.filter().covariance() * seen->slope.transpose();
      const double widest = std::max(own(0, 0), own(1, 1));
      if (widest > maxSigma * maxSigma || !(*rig_)[c].holds(seen->pixel, -maxSigma)) continue;
      if ((*rig_)[c].holds(seen->pixel, 2)) ++expected_;
      const double reach = std::sqrt(gate * (widest + options_.maxDotVariance));
      dots.near(c, seen->pixel, reach, [&](size_t i) {
        Eigen::Matrix2d all = own;
        all.diagonal() += dots.of(c)[i].total;
        const Eigen::Vector2d off = dots.of(c)[i].pixel - seen->pixel;
        const double chi2 = off.dot(all.inverse() * off);
        if (chi2 < gate) pairs.push_back({static_cast<int>(k), static_cast<int>(i), chi2 - gate});
      });
    }
    const auto chosen =
        assign(static_cast<int>(tracks_.size()), static_cast<int>(dots.of(c).size()), pairs);
    for (size_t k = 0; k < tracks_.size(); ++k) {
      if (chosen[k] < 0) continue;
      const auto dot = static_cast<size_t>(chosen[k]);
      dots.of(c)[dot].used = true;
      rays_[k].push_back(dots.sight(c, dot));
      rays_[k].back().shift = shifts[k];
      ++claimed_;
    }
  }
  if (expected_ > options_.rememberedDots) expected_ /= 2, claimed_ /= 2;
  for (size_t k = 0; k < tracks_.size(); ++k)
    if (!rays_[k].empty()) fuse(tracks_[k], std::move(rays_[k]), dots);
}

// Updates a track with the rays that fit. The dots of the others become free again.
void PointTracker::fuse(PointTrack& track, std::vector<Sight> sights, DotIndex& dots) {
  const auto k = static_cast<size_t>(&track - tracks_.data());
  rays_[k].clear();
  RayGroup group{.sights = sights, .estimate = {}, .unseen = 0};
  const auto point = estimate(*rig_, group.sights, track.filter().position());
  if (point) group.estimate = *point;
  if (point && keepFitting(*rig_, group.sights, group.estimate, options_.correspondence)) {
    const TakenRays taken = takenOf(&track, group);
    track.measure(taken, frame_, time_);
    track.seenAt = clock_.now();
    measured_[k] = 1;
    rays_[k] = group.sights;
  } else if (sights.size() == 1 && frame_ - track.lastMeasured() <= options_.maxSingleRayGap) {
    track.correct(*rig_, sights.front());
    rays_[k] = sights;
  }
  for (const Sight& sight : sights) {
    const bool kept = std::any_of(rays_[k].begin(), rays_[k].end(),
                                  [&](const Sight& other) { return other.camera == sight.camera; });
    if (!kept) dots.of(sight.camera)[sight.dot].used = false;
  }
}

// Returns the rays of a group with the covariance of their point. The rig's share of it changes
// little over a few mm, so it is calculated again only after that.
TakenRays PointTracker::takenOf(PointTrack* track, const RayGroup& group) {
  TakenRays taken{
      .sights = group.sights, .estimate = group.estimate, .stated = {}, .flags = flags_};
  const uint64_t cameras = camerasOf(group.sights);
  for (const Sight& sight : group.sights) {
    if (!floor_.learned(sight.camera)) taken.flags |= kFloorUnknown;
  }
  const bool known =
      track && track->rigCameras == cameras &&
      (track->rigAt - group.estimate.at).norm() < options_.sameRigShare * rig_->distance();
  taken.stated = statedCovariance(*rig_, floor_, group.sights, group.estimate, !known);
  if (known) {
    taken.stated.rig = track->rigShare;
  } else if (track) {
    track->rigShare = taken.stated.rig;
    track->rigAt = group.estimate.at;
    track->rigCameras = cameras;
  }
  if (group.sights.size() > 2 || (track != nullptr && track->established()))
    teach(floor_, *rig_, group.sights, group.estimate);
  return taken;
}

// Returns true if a track already has the group's marker, with rays of other cameras.
bool PointTracker::doubles(const RayGroup& group) const {
  for (size_t k = 0; k < measured_.size(); ++k)
    if (measured_[k] && maySame(group, rays_[k], tracks_[k].last().at, tracks_[k].last().covariance,
                                options_.correspondence))
      return true;
  return false;
}

void PointTracker::refuse(const RayGroup& group, GroupRefusal reason) {
  if (keepRefused_)
    refused_.push_back({frame_, time_, reason, group.estimate.at, camerasOf(group.sights),
                        group.estimate.residual});
}

// Makes points of the dots that no track claimed, and gives them to tracks.
void PointTracker::takeGroups(DotIndex& dots) {
  std::vector<RefusedGroup> refused;
  CorrespondOptions correspondence = options_.correspondence;
  correspondence.seenRate = seenRate();
  auto groups =
      correspond(*rig_, geometry_, dots, correspondence, keepRefused_ ? &refused : nullptr);
  for (const RefusedGroup& one : refused) refuse(one.group, one.reason);
  std::vector<AllowedPair> pairs;
  for (size_t k = 0; k < measured_.size(); ++k) {
    if (measured_[k]) continue;
    if (tracks_[k].isMeasured()) tracks_[k].disturb(step_, options_.motion.hit);
    const PointFilter& filter = tracks_[k].filter();
    for (size_t g = 0; g < groups.size(); ++g) {
      const Eigen::Matrix3d total = filter.covariance() + groups[g].estimate.covariance;
      const Eigen::Vector3d off = groups[g].estimate.at - filter.position();
      const double cost = off.dot(total.inverse() * off) +
                          std::log((2 * std::numbers::pi * total).determinant()) +
                          2 * std::log(options_.newPoints);
      if (cost < 0) pairs.push_back({static_cast<int>(k), static_cast<int>(g), cost});
    }
  }
  const auto chosen =
      assign(static_cast<int>(measured_.size()), static_cast<int>(groups.size()), pairs);
  std::vector<bool> taken(groups.size());
  for (size_t k = 0; k < chosen.size(); ++k) {
    if (chosen[k] < 0) continue;
    const auto g = static_cast<size_t>(chosen[k]);
    taken[g] = true;
    measured_[k] = 1;
    rays_[k] = groups[g].sights;
    tracks_[k].measure(takenOf(&tracks_[k], groups[g]), frame_, time_);
    tracks_[k].seenAt = clock_.now();
  }
  const double jerk = usualJerk();
  for (size_t g = 0; g < groups.size(); ++g) {
    if (taken[g]) continue;
    if (doubles(groups[g])) {
      refuse(groups[g], GroupRefusal::same);
      continue;
    }
    PointTrack track(takenOf(nullptr, groups[g]), frame_, time_, jerk, options_.motion);
    track.since = track.seenAt = clock_.now();
    tracks_.push_back(std::move(track));
  }
  measured_.resize(tracks_.size(), 1);
  rays_.resize(tracks_.size());
}

// Returns the median jerk of the confirmed tracks.
double PointTracker::usualJerk() const {
  std::vector<double> all;
  for (const PointTrack& track : tracks_)
    if (track.id() != 0) all.push_back(track.jerk());
  return all.empty() ? options_.motion.jerk.start : base::medianOf(std::move(all));
}

// Returns the places of the confirmed points that were measured in this set.
std::vector<PointPlace> PointTracker::places() const {
  std::vector<PointPlace> all;
  for (const PointTrack& track : tracks_)
    if (track.id() != 0 && track.lastMeasured() == frame_)
      all.push_back({track.id(), track.last().at, track.last().velocity});
  return all;
}

// Drops a track. If it was never confirmed, its measurements are refused.
void PointTracker::drop(PointTrack& track) {
  if (track.id() != 0 || !keepRefused_) return;
  for (const SpaceRow& row : track.takeRows())
    if (row.state == TrackState::measured)
      refused_.push_back(
          {row.frame, row.time, GroupRefusal::unconfirmed, row.at, row.cameras, row.residual});
}

// Ends the tracks that were missed for too long.
void PointTracker::end() {
  const auto gone = [&](PointTrack& track) {
    const uint64_t gap = frame_ - track.lastMeasured();
    const bool young = track.id() == 0;
    if (gap <= (young ? options_.maxUnconfirmedGap : static_cast<uint64_t>(settings_.maxGap)))
      return false;
    drop(track);
    if (young) return true;
    const auto scene = std::find_if(scenes_.begin(), scenes_.end(), [&](const auto& one) {
      return one.first == track.lastMeasured();
    });
    stitcher_.remember({track.id(), track.last().at, track.last().velocity}, track.seenAt,
                       scene == scenes_.end() ? std::vector<PointPlace>() : scene->second);
    return true;
  };
  std::erase_if(tracks_, gone);
}

// Gives ids to the tracks that have enough measurements: those of ended tracks that they continue,
// or new ones.
void PointTracker::confirm() {
  std::vector<PointTrack*> earned;
  std::vector<NewPoint> found;
  for (PointTrack& track : tracks_) {
    if (track.id() != 0 || track.measured() < settings_.confirm) continue;
    earned.push_back(&track);
    found.push_back({{0, track.last().at, track.last().velocity}, track.since});
  }
  const auto ids = stitcher_.join(found, places(), clock_.now());
  for (size_t i = 0; i < earned.size(); ++i) earned[i]->confirm(ids[i] != 0 ? ids[i] : ++given_);
  if (!(settings_.stitchGap > 0)) return;
  scenes_.emplace_back(frame_, places());
  while (frame_ - scenes_.front().first > static_cast<uint64_t>(settings_.maxGap) + 1)
    scenes_.pop_front();
}

// Collects the rows of confirmed tracks. Final rows wait until those of earlier frames are final,
// too.
void PointTracker::release() {
  open_ = frame_ + 1;
  for (PointTrack& track : tracks_) {
    open_ = std::min(open_, track.firstOpen(open_));
    if (track.id() == 0) continue;
    for (SpaceRow& row : track.takeRows()) rows_[row.frame].push_back(std::move(row));
  }
}

void PointTracker::finish() {
  for (PointTrack& track : tracks_) drop(track);
  tracks_.clear();
  measured_.clear();
  rays_.clear();
  open_ = frame_ + 1;
  if (bodies_) bodies_->forget();
}

}  // namespace glint::motion
