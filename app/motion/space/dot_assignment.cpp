#include "app/motion/space/dot_assignment.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <Eigen/LU>

#include "app/base/quantile.h"
#include "app/motion/space/chi2.h"
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

// Returns -2 log of the density of a normal distribution at the place `off` from its mean.
double costOf(const Eigen::Vector3d& off, const Eigen::Matrix3d& covariance) {
  return off.dot(covariance.inverse() * off) +
         std::log((2 * std::numbers::pi * covariance).determinant());
}

/// Returns the pairs of a track and a group that belong together, by their places, so that the sum
/// of the costs of all pairs is least. Each track and each group is in one pair at most.
std::vector<std::pair<size_t, size_t>> matches(std::span<const PointTrack> tracks,
                                               std::span<const RayGroup> groups,
                                               std::span<const AllowedPair> pairs) {
  const auto chosen =
      motion::assign(static_cast<int>(tracks.size()), static_cast<int>(groups.size()), pairs);
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k] >= 0) found.emplace_back(k, static_cast<size_t>(chosen[k]));
  return found;
}

}  // namespace

DotAssignment::DotAssignment(const PointTrackerOptions& options, double maxSpeed, bool keepRefused)
    : options_(options),
      speeds_(options.speeds, maxSpeed),
      claimed_(options.priorClaimed),
      expected_(options.priorExpected),
      newPoints_(options.newPoints) {
  if (keepRefused) refused_.emplace();
}

std::vector<PointTrack> DotAssignment::assign(const Set& set, std::vector<PointTrack>& tracks) {
  const std::vector<Claim> claims = claim(set, tracks);
  for (size_t k = 0; k < claims.size(); ++k) {
    const size_t half = (claims[k].expected + 1) / 2;
    if (!claims[k].sights.empty())
      fuse(set, tracks[k], claims[k].sights, std::max<size_t>(2, half));
  }
  const size_t known = tracks.size();
  takeGroups(set, tracks, claims);
  for (size_t k = 0; k < known; ++k)
    if (tracks[k].lastMeasured() != set.clock.frame()) takeRest(set, tracks[k], claims[k]);
  return removeDoubles(set, tracks);
}

// Gives dots to the tracks whose motion is known, near their predictions. In each image, all
// together are as likely as possible, where a stray dot is as likely in any place.
std::vector<DotAssignment::Claim> DotAssignment::claim(const Set& set,
                                                       std::span<const PointTrack> tracks) {
  const double gate = options_.claimGate, maxSigma = options_.maxClaimSigma;
  DotIndex& dots = set.dots;
  std::vector<Claim> claims(tracks.size());
  std::vector<AllowedPair> pairs;
  for (size_t c = 0; c < set.rig.size(); ++c) {
    if (dots.of(c).empty()) continue;
    const RigCamera& camera = set.rig[c].camera();
    const double stray =
        2 * std::log(2 * std::numbers::pi / (double(camera.width) * double(camera.height)));
    pairs.clear();
    std::vector<Eigen::Vector3d> shifts(tracks.size());
    for (size_t k = 0; k < tracks.size(); ++k) {
      const PointTrack& track = tracks[k];
      if (!track.established()) continue;
      const double late = set.views.views[c].time - set.clock.time();
      shifts[k] = late * track.filter().velocity();
      auto seen = set.rig[c].see(track.filter().position() + shifts[k]);
      if (seen && camera.readout != 0) {
        // The row is known well enough for a delay, although it was predicted for the middle row.
        shifts[k] = (late + camera.rowDelay(seen->pixel.y())) * track.filter().velocity();
        seen = set.rig[c].see(track.filter().position() + shifts[k]);
      }
      if (!seen) continue;
      const Eigen::Matrix2d own =
          seen->slope * track.filter().covariance() * seen->slope.transpose();
      const double widest = std::max(own(0, 0), own(1, 1));
      if (widest > maxSigma * maxSigma || !set.rig[c].holds(seen->pixel, -maxSigma)) continue;
      claims[k].images.emplace_back(c, seen->pixel);
      if (set.rig[c].holds(seen->pixel, 2)) ++expected_, ++claims[k].expected;
      const double reach =
          std::sqrt(gate * (widest + std::min(options_.maxDotVariance, dots.greatestVariance(c))));
      dots.near(c, seen->pixel, reach, [&](size_t i) {
        Eigen::Matrix2d all = own;
        all.diagonal() += dots.of(c)[i].total;
        const Eigen::Vector2d off = dots.of(c)[i].pixel - seen->pixel;
        const double chi2 = off.dot(all.inverse() * off);
        const double cost = chi2 + std::log(all.determinant()) + stray;
        if (chi2 < gate && cost < 0)
          pairs.push_back({static_cast<int>(k), static_cast<int>(i), cost});
      });
    }
    const auto chosen =
        motion::assign(static_cast<int>(tracks.size()), static_cast<int>(dots.of(c).size()), pairs);
    for (size_t k = 0; k < tracks.size(); ++k) {
      if (chosen[k] < 0) continue;
      claims[k].sights.push_back(dots.sight(c, static_cast<size_t>(chosen[k])));
      claims[k].sights.back().shift = shifts[k];
      ++claimed_;
    }
  }
  if (expected_ > options_.rememberedDots) expected_ /= 2, claimed_ /= 2;
  return claims;
}

// Measures a track with those of the rays that fit, whose dots become used. Returns false if they
// are fewer than `leastRays`.
bool DotAssignment::fuse(const Set& set, PointTrack& track, std::span<const Sight> sights,
                         size_t leastRays) {
  RayGroup group{.sights = {sights.begin(), sights.end()}, .estimate = {}, .unseen = 0};
  const auto point = estimate(set.rig, group.sights, track.filter().position());
  if (!point) return false;
  group.estimate = *point;
  if (!keepFitting(set.rig, group.sights, group.estimate, options_.correspondence) ||
      group.sights.size() < leastRays)
    return false;
  measure(set, track, group);
  for (const Sight& sight : group.sights) set.dots.of(sight.camera)[sight.dot].used = true;
  return true;
}

// Gives a track that no point continues the dots that it claimed and that are still free.
void DotAssignment::takeRest(const Set& set, PointTrack& track, const Claim& claim) {
  std::vector<Sight> sights = claim.sights;
  std::erase_if(sights, [&](const Sight& s) { return set.dots.of(s.camera)[s.dot].used; });
  if (sights.empty() || fuse(set, track, sights, 2)) return;
  if (sights.size() > 1 || set.clock.frame() - track.lastMeasured() > options_.maxSingleRayGap)
    return;
  track.correct(set.rig, sights.front());
  set.dots.of(sights.front().camera)[sights.front().dot].used = true;
}

void DotAssignment::measure(const Set& set, PointTrack& track, const RayGroup& group) {
  track.measure(takenOf(set, &track, group), set.clock.frame(), set.clock.time());
  track.seenAt = set.clock.now();
  if (track.measured() == options_.motion.knownSets) speeds_.learn(track.filter().velocity());
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

// Makes points of the dots that no track claimed. They continue tracks that were not measured, or
// begin new ones, unless a measured track already has their marker, with rays of other cameras.
void DotAssignment::takeGroups(const Set& set, std::vector<PointTrack>& tracks,
                               std::span<const Claim> claims) {
  std::vector<RefusedGroup> refused;
  CorrespondOptions correspondence = options_.correspondence;
  correspondence.seenRate = seenRate();
  const auto groups = correspond(set.rig, set.dots, correspondence, refused_ ? &refused : nullptr);
  for (const RefusedGroup& one : refused) refuse(set, one.group, one.reason);
  std::vector<bool> taken(groups.size());
  continueTracks(set, tracks, groups, taken);
  continueReleased(set, tracks, groups, taken);
  const double jerk = usualJerk(tracks, options_.motion.jerk);
  const uint64_t frame = set.clock.frame();
  const size_t known = tracks.size();
  for (size_t g = 0; g < groups.size(); ++g) {
    if (taken[g]) continue;
    const std::span before = std::span(tracks).first(known);
    if (isOfKnown(groups[g], before, claims) ||
        std::any_of(before.begin(), before.end(), [&](const PointTrack& track) {
          return track.lastMeasured() == frame &&
                 maySame(groups[g], track.rays, track.last().at, track.last().covariance,
                         options_.correspondence);
        })) {
      refuse(set, groups[g], GroupRefusal::same);
      continue;
    }
    PointTrack track(takenOf(set, nullptr, groups[g]), frame, set.clock.time(), speeds_.slowest(),
                     jerk, options_.motion);
    track.since = track.seenAt = set.clock.now();
    tracks.push_back(std::move(track));
  }
  // Where nothing was known before, all markers are new.
  if (known > 0)
    newPoints_ +=
        (static_cast<double>(tracks.size() - known) - newPoints_) / options_.rememberedSets;
}

// Returns true if two tracks that were measured in this set go the same way, no camera sees both,
// and the rays of both meet in one point.
bool DotAssignment::areOneMarker(const Set& set, const PointTrack& a, const PointTrack& b) const {
  if (a.last().cameras & b.last().cameras) return false;
  const Eigen::Vector3d off = a.filter().velocity() - b.filter().velocity();
  const Eigen::Matrix3d of = a.filter().velocityCovariance() + b.filter().velocityCovariance();
  if (off.dot(of.inverse() * off) > options_.sameMotionChi2) return false;
  std::vector<Sight> sights = a.rays;
  sights.insert(sights.end(), b.rays.begin(), b.rays.end());
  const auto point = estimate(set.rig, sights, a.last().at);
  return point && point->chi2 <= chi2Limit(2 * static_cast<int>(sights.size()) - 3,
                                           options_.correspondence.gate);
}

std::vector<PointTrack> DotAssignment::removeDoubles(const Set& set,
                                                     std::vector<PointTrack>& tracks) {
  std::vector<size_t> measured;  // by x
  for (size_t k = 0; k < tracks.size(); ++k)
    if (tracks[k].lastMeasured() == set.clock.frame()) measured.push_back(k);
  std::sort(measured.begin(), measured.end(),
            [&](size_t a, size_t b) { return tracks[a].last().at.x() < tracks[b].last().at.x(); });
  const double reach = options_.doubleReach * set.rig.distance();
  std::vector<bool> isDouble(tracks.size());
  for (size_t i = 0; i < measured.size(); ++i)
    for (size_t j = i + 1; j < measured.size(); ++j) {
      // Tracks are in the order in which they began.
      const size_t older = std::min(measured[i], measured[j]);
      const size_t younger = std::max(measured[i], measured[j]);
      const Eigen::Vector3d off = tracks[measured[j]].last().at - tracks[measured[i]].last().at;
      if (off.x() > reach) break;
      if (off.norm() > reach || isDouble[older] || isDouble[younger]) continue;
      isDouble[younger] = areOneMarker(set, tracks[older], tracks[younger]);
    }
  std::vector<PointTrack> removed, kept;
  for (size_t k = 0; k < tracks.size(); ++k) {
    if (!isDouble[k])
      kept.push_back(std::move(tracks[k]));
    else if (tracks[k].id() != 0)
      removed.push_back(std::move(tracks[k]));
    else
      refuse(tracks[k], GroupRefusal::same);
  }
  tracks = std::move(kept);
  return removed;
}

// Returns true if fewer than two dots of a group are other than near to places where tracks are
// predicted whose own dots are missing. Markers that pass each other in an image have one dot,
// which fits neither of them well.
bool DotAssignment::isOfKnown(const RayGroup& group, std::span<const PointTrack> tracks,
                              std::span<const Claim> claims) const {
  const double reach = options_.correspondence.mergedDistance;
  size_t others = 0;
  for (const Sight& sight : group.sights) {
    bool known = false;
    for (size_t k = 0; k < tracks.size() && !known; ++k)
      for (const auto& [camera, pixel] : claims[k].images)
        known = known || (camera == sight.camera && (pixel - sight.pixel).norm() < reach &&
                          !(tracks[k].last().cameras >> camera & 1 && tracks[k].isMeasured()));
    others += !known;
  }
  return others < 2;
}

// Returns the density of points that begin in this set, per mm^3.
double DotAssignment::densityOfNew(const Set& set) const {
  return newPoints_ / std::pow(set.rig.distance(), 3);
}

// Continues tracks whose motion goes on, by groups for which that is likelier than a new point.
void DotAssignment::continueTracks(const Set& set, std::span<PointTrack> tracks,
                                   std::span<const RayGroup> groups, std::vector<bool>& taken) {
  const double asNew = 2 * std::log(densityOfNew(set));
  std::vector<AllowedPair> pairs;
  for (size_t k = 0; k < tracks.size(); ++k) {
    if (tracks[k].lastMeasured() == set.clock.frame()) continue;
    // A track that was measured in the previous set may have been hit since then.
    if (tracks[k].isMeasured()) tracks[k].disturb(set.clock.step(), options_.motion.hit);
    const Eigen::Matrix3d own = tracks[k].filter().covariance();
    const Eigen::Vector3d at = tracks[k].filter().position();
    // The determinant of the sum is greater than that of the track alone, and no variance is
    // greater than the trace. So chi squared per trace must be less than this.
    const double most = -asNew - std::log((2 * std::numbers::pi * own).determinant());
    for (size_t g = 0; g < groups.size(); ++g) {
      const Eigen::Matrix3d total = own + groups[g].estimate.covariance;
      const Eigen::Vector3d off = groups[g].estimate.at - at;
      if (off.squaredNorm() >= most * total.trace()) continue;
      const double cost = costOf(off, total) + asNew;
      if (cost < 0) pairs.push_back({static_cast<int>(k), static_cast<int>(g), cost});
    }
  }
  for (const auto& [k, g] : matches(tracks, groups, pairs)) {
    taken[g] = true;
    measure(set, tracks[k], groups[g]);
  }
}

// Continues tracks that may have been struck since they were measured, and those that were measured
// once, if they are faster than most. A velocity that is unknown is that of one of the classes of
// SpeedPrior. A marker that is thrown back changes its velocity by up to twice its speed.
void DotAssignment::continueReleased(const Set& set, std::span<PointTrack> tracks,
                                     std::span<const RayGroup> groups, std::vector<bool>& taken) {
  const double asNew = 2 * std::log(densityOfNew(set));
  std::vector<AllowedPair> pairs;
  std::map<std::pair<size_t, size_t>, double> speeds;  // mm/s, of the likeliest class of each pair
  for (size_t k = 0; k < tracks.size(); ++k) {
    const PointTrack& track = tracks[k];
    if (track.lastMeasured() == set.clock.frame()) continue;
    const double span = set.clock.now() - track.seenAt;
    const bool begins = track.measured() == 1;
    const double speed2 = begins ? 0 : track.filter().velocity().squaredNorm();
    for (size_t g = 0; g < groups.size(); ++g) {
      const Estimate& point = groups[g].estimate;
      if (taken[g] || speeds_.forbids((point.at - track.last().at).norm(), span)) continue;
      const Eigen::Vector3d off = point.at - track.filter().position();
      const Eigen::Matrix3d known = track.filter().covariance() + point.covariance;
      double least = 0;
      for (size_t i = begins ? 1 : 0; i < speeds_.classes(); ++i) {
        if (i > 0 && groups[g].sights.size() < options_.motion.fastRays) break;
        const auto [sigma, weight] = speeds_[i];
        const double share = begins ? weight : options_.motion.struckShare * weight;
        const double change2 = sigma * sigma + speed2;
        const double variance = change2 * span * span / (begins ? 1 : 3);
        const double of =
            asNew - 2 * std::log(share) + 3 * std::log(2 * std::numbers::pi * variance);
        if (off.squaredNorm() >= (least - of) * (known.trace() + 3 * variance)) continue;
        const double cost = costOf(off, known + variance * Eigen::Matrix3d::Identity()) -
                            2 * std::log(share) + asNew;
        if (cost >= least) continue;
        least = cost;
        speeds[{k, g}] = std::sqrt(change2);
      }
      if (least < 0) pairs.push_back({static_cast<int>(k), static_cast<int>(g), least});
    }
  }
  for (const auto& [k, g] : matches(tracks, groups, pairs)) {
    taken[g] = true;
    tracks[k].release(speeds.at({k, g}), set.clock.now() - tracks[k].seenAt);
    measure(set, tracks[k], groups[g]);
  }
}

void DotAssignment::refuse(const Set& set, const RayGroup& group, GroupRefusal reason) {
  if (refused_)
    refused_->push_back({set.clock.frame(), set.clock.time(), reason, group.estimate.at,
                         camerasOf(group.sights), group.estimate.residual});
}

void DotAssignment::refuse(PointTrack& track, GroupRefusal reason) {
  if (!refused_) return;
  for (const SpaceRow& row : track.takeRows())
    if (row.state == TrackState::measured)
      refused_->push_back({row.frame, row.time, reason, row.at, row.cameras, row.residual});
}

std::vector<RefusedRow> DotAssignment::takeRefused() {
  return refused_ ? std::exchange(*refused_, {}) : std::vector<RefusedRow>();
}

}  // namespace glint::motion
