#include "app/motion/space/dot_assignment.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/LU>

#include "app/base/quantile.h"
#include "app/motion/track/assignment.h"

namespace glint::motion {
namespace {

// Returns the median power of the jerk of the confirmed tracks, or the default if there are none.
double usualJerk(std::span<const PointTrack> tracks, const JerkOptions& options) {
  std::vector<double> all;
  for (const PointTrack& track : tracks)
    if (track.id() != 0) all.push_back(track.jerk());
  return all.empty() ? options.start : base::medianOf(std::move(all));
}

}  // namespace

DotAssignment::DotAssignment(const PointTrackerOptions& options, bool keepRefused)
    : options_(options), claimed_(options.priorClaimed), expected_(options.priorExpected) {
  if (keepRefused) refused_.emplace();
}

void DotAssignment::assign(const Set& set, std::vector<PointTrack>& tracks) {
  claim(set, tracks);
  takeGroups(set, tracks);
}

// Assigns dots to tracks with a known motion, near their predictions.
void DotAssignment::claim(const Set& set, std::span<PointTrack> tracks) {
  const double gate = options_.claimGate, maxSigma = options_.maxClaimSigma;
  DotIndex& dots = set.dots;
  std::vector<std::vector<Sight>> claimed(tracks.size());
  std::vector<AllowedPair> pairs;
  for (size_t c = 0; c < set.rig.size(); ++c) {
    if (dots.of(c).empty()) continue;
    pairs.clear();
    std::vector<Eigen::Vector3d> shifts(tracks.size());
    for (size_t k = 0; k < tracks.size(); ++k) {
      const PointTrack& track = tracks[k];
      if (!track.established()) continue;
      shifts[k] = (set.views.views[c].time - set.clock.time()) * track.filter().velocity();
      const auto seen = set.rig[c].see(track.filter().position() + shifts[k]);
      if (!seen) continue;
      const Eigen::Matrix2d own =
          seen->slope * track.filter().covariance() * seen->slope.transpose();
      const double widest = std::max(own(0, 0), own(1, 1));
      if (widest > maxSigma * maxSigma || !set.rig[c].holds(seen->pixel, -maxSigma)) continue;
      if (set.rig[c].holds(seen->pixel, 2)) ++expected_;
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
        motion::assign(static_cast<int>(tracks.size()), static_cast<int>(dots.of(c).size()), pairs);
    for (size_t k = 0; k < tracks.size(); ++k) {
      if (chosen[k] < 0) continue;
      const auto dot = static_cast<size_t>(chosen[k]);
      dots.of(c)[dot].used = true;
      claimed[k].push_back(dots.sight(c, dot));
      claimed[k].back().shift = shifts[k];
      ++claimed_;
    }
  }
  if (expected_ > options_.rememberedDots) expected_ /= 2, claimed_ /= 2;
  for (size_t k = 0; k < tracks.size(); ++k)
    if (!claimed[k].empty()) fuse(set, tracks[k], claimed[k]);
}

// Updates a track with those of its rays that fit. The dots of the other rays become free again.
void DotAssignment::fuse(const Set& set, PointTrack& track, const std::vector<Sight>& sights) {
  RayGroup group{.sights = sights, .estimate = {}, .unseen = 0};
  const auto point = estimate(set.rig, group.sights, track.filter().position());
  if (point) group.estimate = *point;
  if (point && keepFitting(set.rig, group.sights, group.estimate, options_.correspondence))
    measure(set, track, group);
  else if (sights.size() == 1 &&
           set.clock.frame() - track.lastMeasured() <= options_.maxSingleRayGap)
    track.correct(set.rig, sights.front());
  for (const Sight& sight : sights) {
    const bool kept = std::any_of(track.rays.begin(), track.rays.end(),
                                  [&](const Sight& other) { return other.camera == sight.camera; });
    if (!kept) set.dots.of(sight.camera)[sight.dot].used = false;
  }
}

void DotAssignment::measure(const Set& set, PointTrack& track, const RayGroup& group) const {
  track.measure(takenOf(set, &track, group), set.clock.frame(), set.clock.time());
  track.seenAt = set.clock.now();
}

// Returns the rays of a group with the covariance of their point. The rig's contribution changes
// little over a few mm, so it is calculated again only if the point has moved further. `track` is
// null for a new track.
TakenRays DotAssignment::takenOf(const Set& set, PointTrack* track, const RayGroup& group) const {
  TakenRays taken{
      .sights = group.sights, .estimate = group.estimate, .stated = {}, .flags = set.flags};
  const uint64_t cameras = camerasOf(group.sights);
  for (const Sight& sight : group.sights) {
    if (!set.floor.learned(sight.camera)) taken.flags |= kFloorUnknown;
  }
  const bool known =
      track && track->rigCameras == cameras &&
      (track->rigAt - group.estimate.at).norm() < options_.sameRigShare * set.rig.distance();
  taken.stated = statedCovariance(set.rig, set.floor, group.sights, group.estimate, !known);
  if (known) {
    taken.stated.rig = track->rigShare;
  } else if (track) {
    track->rigShare = taken.stated.rig;
    track->rigAt = group.estimate.at;
    track->rigCameras = cameras;
  }
  if (group.sights.size() > 2 || (track != nullptr && track->established()))
    teach(set.floor, set.rig, group.sights, group.estimate);
  return taken;
}

// Finds points among the dots that no track claimed. They continue tracks that were not measured in
// this set, or begin new ones. A point begins no track if a measured track already has its marker
// with rays of other cameras.
void DotAssignment::takeGroups(const Set& set, std::vector<PointTrack>& tracks) {
  std::vector<RefusedGroup> refused;
  CorrespondOptions correspondence = options_.correspondence;
  correspondence.seenRate = seenRate();
  const auto groups = correspond(set.rig, set.dots, correspondence, refused_ ? &refused : nullptr);
  for (const RefusedGroup& one : refused) refuse(set, one.group, one.reason);
  const auto chosen = continuations(set, tracks, groups);
  std::vector<bool> taken(groups.size());
  for (size_t k = 0; k < chosen.size(); ++k) {
    if (chosen[k] < 0) continue;
    const auto g = static_cast<size_t>(chosen[k]);
    taken[g] = true;
    measure(set, tracks[k], groups[g]);
  }
  const double jerk = usualJerk(tracks, options_.motion.jerk);
  const uint64_t frame = set.clock.frame();
  const size_t known = tracks.size();
  for (size_t g = 0; g < groups.size(); ++g) {
    if (taken[g]) continue;
    const std::span before = std::span(tracks).first(known);
    if (std::any_of(before.begin(), before.end(), [&](const PointTrack& track) {
          return track.lastMeasured() == frame &&
                 maySame(groups[g], track.rays, track.last().at, track.last().covariance,
                         options_.correspondence);
        })) {
      refuse(set, groups[g], GroupRefusal::same);
      continue;
    }
    PointTrack track(takenOf(set, nullptr, groups[g]), frame, set.clock.time(), jerk,
                     options_.motion);
    track.since = track.seenAt = set.clock.now();
    tracks.push_back(std::move(track));
  }
}

// Returns for each track the index of the group that continues it, or -1. A group continues a track
// if that is more likely than a new point.
std::vector<int> DotAssignment::continuations(const Set& set, std::span<PointTrack> tracks,
                                              std::span<const RayGroup> groups) const {
  std::vector<AllowedPair> pairs;
  for (size_t k = 0; k < tracks.size(); ++k) {
    if (tracks[k].lastMeasured() == set.clock.frame()) continue;
    // A track that was measured in the previous set may have been hit since then.
    if (tracks[k].isMeasured()) tracks[k].disturb(set.clock.step(), options_.motion.hit);
    const PointFilter& filter = tracks[k].filter();
    for (size_t g = 0; g < groups.size(); ++g) {
      const Eigen::Matrix3d total = filter.covariance() + groups[g].estimate.covariance;
      const Eigen::Vector3d off = groups[g].estimate.at - filter.position();
      const double cost = off.dot(total.inverse() * off) +
                          std::log((2 * std::numbers::pi * total).determinant()) +
                          2 * std::log(options_.newPoints);
      if (cost < 0) pairs.push_back({static_cast<int>(k), static_cast<int>(g), cost});
    }
  }
  return motion::assign(static_cast<int>(tracks.size()), static_cast<int>(groups.size()), pairs);
}

void DotAssignment::refuse(const Set& set, const RayGroup& group, GroupRefusal reason) {
  if (refused_)
    refused_->push_back({set.clock.frame(), set.clock.time(), reason, group.estimate.at,
                         camerasOf(group.sights), group.estimate.residual});
}

void DotAssignment::refuse(PointTrack& track) {
  if (!refused_) return;
  for (const SpaceRow& row : track.takeRows())
    if (row.state == TrackState::measured)
      refused_->push_back(
          {row.frame, row.time, GroupRefusal::unconfirmed, row.at, row.cameras, row.residual});
}

std::vector<RefusedRow> DotAssignment::takeRefused() {
  return refused_ ? std::exchange(*refused_, {}) : std::vector<RefusedRow>();
}

}  // namespace glint::motion
