#include "app/motion/space/correspond.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <unordered_set>

#include <Eigen/LU>

#include "app/motion/space/chi2.h"

namespace glint::motion {
namespace {

// Finds the points of one set; see correspond().
class Correspondence {
 public:
  Correspondence(const SpaceRig& rig, DotIndex& dots, const CorrespondOptions& options,
                 std::vector<RefusedGroup>* refused)
      : rig_(rig),
        dots_(dots),
        options_(options),
        refused_(refused),
        finder_(rig, dots, options.gate) {
    for (size_t c = 0; c < rig.size(); ++c) {
      for (const DotIndex::Place& place : dots.of(c)) unused_ += !place.used;
      chances_.push_back(chance(c));
    }
  }

  std::vector<RayGroup> take() {
    takeMany();
    if (options_.twoRays) takePairs();
    return std::move(taken_);
  }

 private:
  // The cameras of a group, each followed by the index of its dot.
  using Key = std::vector<size_t>;

  static uint64_t keyOf(const RayPair& pair) {
    return uint64_t{pair.cameraA} << 58 | uint64_t{pair.cameraB} << 52 | uint64_t{pair.a} << 26 |
           uint64_t{pair.b};
  }
  static Key keyOf(const RayGroup& group) {
    Key key;
    for (const Sight& s : group.sights) key.insert(key.end(), {s.camera, s.dot});
    return key;
  }
  bool used(const Sight& s) const { return dots_.of(s.camera)[s.dot].used; }
  bool used(const RayPair& pair) const {
    return dots_.of(pair.cameraA)[pair.a].used || dots_.of(pair.cameraB)[pair.b].used;
  }

  // Returns the unused dot of camera `c` that fits a point best, or nothing if none fits.
  std::optional<Sight> nearest(size_t c, const Estimate& point) const {
    const auto seen = rig_[c].see(point.at);
    if (!seen || !rig_[c].holds(seen->pixel, -options_.mergedDistance)) return std::nullopt;
    const Eigen::Matrix2d own = seen->slope * point.covariance * seen->slope.transpose();
    const double widest = std::min(options_.maxDotVariance, dots_.greatestVariance(c));
    const double reach = options_.gate * std::sqrt(std::max(own(0, 0), own(1, 1)) + widest);
    double best = options_.gate * options_.gate;
    std::optional<Sight> found;
    dots_.near(c, seen->pixel, reach, [&](size_t i) {
      const DotIndex::Place& place = dots_.of(c)[i];
      if (place.used) return;
      Eigen::Matrix2d all = own;
      all.diagonal() += place.total;
      const Eigen::Vector2d off = place.pixel - seen->pixel;
      const double chi2 = (all(1, 1) * off.x() * off.x() - 2 * all(0, 1) * off.x() * off.y() +
                           all(0, 0) * off.y() * off.y()) /
                          all.determinant();
      if (chi2 > best) return;
      best = chi2;
      found = dots_.sight(c, i);
    });
    return found;
  }

  // Returns true if at least `wanted` other cameras have a dot at the place where two rays meet.
  // Most pairs meet by chance, and this ends them.
  bool isSeenByOthers(const RayPair& pair, const Estimate& point, size_t wanted) const {
    size_t left = rig_.size() - 2, seen = 0;
    for (size_t c = 0; c < rig_.size() && seen < wanted && seen + left >= wanted; ++c) {
      if (c == pair.cameraA || c == pair.cameraB) continue;
      --left;
      seen += nearest(c, point).has_value();
    }
    return seen >= wanted;
  }

  // Returns the dots of all cameras at the place where two rays meet, or nothing if fewer than
  // `wanted` other cameras see the place at first, or it is no point.
  std::optional<RayGroup> grow(const RayPair& pair, size_t wanted) const {
    const auto middle = meeting(rig_, dots_, pair);
    if (!middle) return std::nullopt;
    RayGroup group;
    group.sights = {dots_.sight(pair.cameraA, pair.a), dots_.sight(pair.cameraB, pair.b)};
    auto point = estimate(rig_, group.sights, *middle);
    if (!point) return std::nullopt;
    for (int round = 0; round < options_.rounds; ++round) {
      if (round == 0 && !isSeenByOthers(pair, *point, wanted)) return std::nullopt;
      std::vector<Sight> sights;
      for (size_t c = 0; c < rig_.size(); ++c)
        if (const auto sight = nearest(c, *point)) sights.push_back(*sight);
      if (sights.size() < 2) break;
      const auto better = estimate(rig_, sights, point->at);
      if (!better) break;
      const bool same = sights.size() == group.sights.size();
      group.sights = std::move(sights);
      point = better;
      if (same) break;
    }
    group.estimate = *point;
    if (!keepFitting(rig_, group.sights, group.estimate, options_)) return std::nullopt;
    return group;
  }

  // Returns the expected number of dots of camera `c` that are in a ray's gate by coincidence.
  double chance(size_t c) const {
    const RigCamera& camera = rig_[c].camera();
    double gates = 0;
    for (const DotIndex::Place& place : dots_.of(c))
      gates += options_.gate * options_.gate * std::numbers::pi * std::sqrt(place.total.prod());
    return std::clamp(gates / (double(camera.width) * camera.height), options_.minChance,
                      options_.maxChance);
  }

  // Counts the cameras that should see a group's point but do not. Returns the logarithm of the
  // odds that the group is a point.
  double weigh(RayGroup& group) const {
    const double rate = std::clamp(options_.seenRate, options_.minSeenRate, options_.maxSeenRate);
    // Only some of the pairs of rays that meet belong to points. The more dots there are, the
    // smaller is that share.
    const double pairs = finder_.expected() / std::max<double>(1, double(unused_));
    double odds = -std::log(1 + pairs);
    std::vector<bool> has(rig_.size());
    for (size_t k = 0; k < group.sights.size(); ++k) {
      has[group.sights[k].camera] = true;
      if (k >= 2) odds += std::log(rate / chances_[group.sights[k].camera]);
    }
    group.unseen = 0;
    for (size_t c = 0; c < rig_.size(); ++c) {
      if (has[c] || dots_.of(c).empty()) continue;
      const auto seen = rig_[c].see(group.estimate.at);
      if (!seen || !rig_[c].holds(seen->pixel, options_.mergedDistance)) continue;
      if (dots_.anyNear(c, seen->pixel, options_.mergedDistance)) continue;
      ++group.unseen;
      odds += std::log(1 - rate);
    }
    return odds;
  }

  void use(RayGroup group) {
    for (const Sight& s : group.sights) dots_.of(s.camera)[s.dot].used = true;
    taken_.push_back(std::move(group));
  }

  // Orders groups by their number of rays, and then by chi squared.
  static bool better(const RayGroup& a, const RayGroup& b) {
    if (a.sights.size() != b.sights.size()) return a.sights.size() > b.sights.size();
    return a.estimate.chi2 < b.estimate.chi2;
  }

  // Finds points with at least three rays. Those that are certain are accepted at once, so that
  // their dots need not be compared with those of the remaining cameras. Next come those that all
  // cameras see, because points with more rays are better (see better()). Each of them has a dot in
  // the first two cameras. Before the noise of the images is known, far more rays meet by chance,
  // and most of these pairs need not be looked at then.
  void takeMany() {
    const size_t cameras = rig_.size();
    for (size_t a = 0; a < cameras; ++a) {
      for (size_t b = a + 1; b < cameras; ++b) {
        const size_t first = pairs_.size();
        finder_.find(a, b, pairs_);
        if (a == 0 && b == 1 && cameras > 3) {
          for (size_t k = first; k < pairs_.size(); ++k) guess(pairs_[k], cameras - 2);
          takeBest(cameras);
        }
        for (size_t k = first; k < pairs_.size(); ++k) guess(pairs_[k], 1);
      }
    }
    takeBest(3);
  }

  // Tries to make a point from a pair of rays that meet. `wanted`: see grow().
  void guess(const RayPair& pair, size_t wanted) {
    if (used(pair) || guessed_.contains(keyOf(pair))) return;
    auto group = grow(pair, wanted);
    if (!group || group->sights.size() < 3) return;
    if (group->sights.size() >= options_.sureRays && weigh(*group) > 0)
      return use(std::move(*group));
    const std::vector<Sight>& sights = group->sights;
    for (size_t i = 0; i < sights.size(); ++i)
      for (size_t j = i + 1; j < sights.size(); ++j)
        guessed_.insert(keyOf({sights[i].camera, sights[j].camera, sights[i].dot, sights[j].dot}));
    if (keys_.insert(keyOf(*group)).second) groups_.push_back(std::move(*group));
  }

  // Accepts the groups that are not certain and have at least `rays` rays, the best first.
  void takeBest(size_t rays) {
    const auto worse = [](const RayGroup& a, const RayGroup& b) { return better(b, a); };
    std::make_heap(groups_.begin(), groups_.end(), worse);
    while (!groups_.empty() && groups_.front().sights.size() >= rays) {
      std::pop_heap(groups_.begin(), groups_.end(), worse);
      RayGroup group = std::move(groups_.back());
      groups_.pop_back();
      if (!std::any_of(group.sights.begin(), group.sights.end(),
                       [&](const Sight& s) { return used(s); })) {
        takeOrRefuse(std::move(group));
        continue;
      }
      // Some of the dots belong to better points now. The others may still be a point.
      std::erase_if(group.sights, [&](const Sight& s) { return used(s); });
      if (group.sights.size() < 3) continue;
      const auto rest = estimate(rig_, group.sights, group.estimate.at);
      if (!rest) continue;
      group.estimate = *rest;
      if (!keepFitting(rig_, group.sights, group.estimate, options_) || group.sights.size() < 3)
        continue;
      groups_.push_back(std::move(group));
      std::push_heap(groups_.begin(), groups_.end(), worse);
    }
  }

  bool isTaken(const RayGroup& group) const {
    return std::any_of(taken_.begin(), taken_.end(), [&](const RayGroup& other) {
      return maySame(group, other.sights, other.estimate.at, other.estimate.covariance, options_);
    });
  }

  void takeOrRefuse(RayGroup group) {
    const bool likely = weigh(group) > 0;
    if (likely && !isTaken(group))
      use(std::move(group));
    else if (refused_)
      refused_->push_back({std::move(group), likely ? GroupRefusal::same : GroupRefusal::unseen});
  }

  // Makes points of the remaining pairs of rays if each ray has no other candidate.
  void takePairs() {
    std::vector<std::vector<size_t>> candidates(rig_.size());
    for (size_t c = 0; c < rig_.size(); ++c) candidates[c].resize(dots_.of(c).size());
    std::erase_if(pairs_, [&](const RayPair& pair) { return used(pair); });
    for (const RayPair& pair : pairs_) {
      ++candidates[pair.cameraA][pair.a];
      ++candidates[pair.cameraB][pair.b];
    }
    for (const RayPair& pair : pairs_) {
      const bool only =
          candidates[pair.cameraA][pair.a] == 1 && candidates[pair.cameraB][pair.b] == 1;
      if (!only && !refused_) continue;
      const auto middle = meeting(rig_, dots_, pair);
      RayGroup group;
      group.sights = {dots_.sight(pair.cameraA, pair.a), dots_.sight(pair.cameraB, pair.b)};
      const auto point = middle ? estimate(rig_, group.sights, *middle) : std::nullopt;
      if (!point || point->chi2 > chi2Limit(1, options_.gate)) continue;
      group.estimate = *point;
      weigh(group);
      const bool seen = group.unseen <= options_.maxUnseen, same = isTaken(group);
      if (only && seen && !same)
        use(std::move(group));
      else if (refused_)
        refused_->push_back({std::move(group), same   ? GroupRefusal::same
                                               : only ? GroupRefusal::unseen
                                                      : GroupRefusal::ambiguous});
    }
  }

  const SpaceRig& rig_;
  DotIndex& dots_;
  const CorrespondOptions& options_;
  std::vector<RefusedGroup>* refused_;
  RayPairs finder_;
  // All pairs of rays that meet, found so far.
  std::vector<RayPair> pairs_;
  // Keys of the pairs within groups_.
  std::unordered_set<uint64_t> guessed_;
  // Keys of the groups in groups_.
  std::set<Key> keys_;
  // Groups that are not certain.
  std::vector<RayGroup> groups_;
  // Result of chance() for each camera.
  std::vector<double> chances_;
  // Number of dots that were unused at the start.
  size_t unused_ = 0;
  std::vector<RayGroup> taken_;
};

}  // namespace

std::string_view nameOf(GroupRefusal reason) {
  switch (reason) {
    case GroupRefusal::ambiguous:
      return "ambiguous";
    case GroupRefusal::unseen:
      return "unseen";
    case GroupRefusal::same:
      return "same";
    case GroupRefusal::unconfirmed:
      return "unconfirmed";
  }
  return "";
}

bool maySame(const RayGroup& group, std::span<const Sight> sights, const Eigen::Vector3d& at,
             const Eigen::Matrix3d& covariance, const CorrespondOptions& options) {
  const Eigen::Vector3d off = at - group.estimate.at;
  const Eigen::Matrix3d total = group.estimate.covariance + covariance;
  // No variance is greater than the trace, so chi squared is beyond its limit.
  if (off.squaredNorm() >= options.sameChi2 * total.trace()) return false;
  int shared = 0;
  for (const Sight& a : group.sights)
    for (const Sight& b : sights) shared += a.camera == b.camera;
  if (shared > options.maxSharedCameras) return false;
  return off.dot(total.inverse() * off) < options.sameChi2;
}

bool keepFitting(const SpaceRig& rig, std::vector<Sight>& sights, Estimate& point,
                 const CorrespondOptions& options) {
  while (sights.size() >= 2) {
    const int freedom = 2 * static_cast<int>(sights.size()) - 3;
    if (point.chi2 <= chi2Limit(freedom, options.gate)) return true;
    if (sights.size() == 2) return false;
    // Drop the ray whose removal helps most. With few rays, the wrong one may not have the worst
    // residual.
    std::optional<Estimate> best;
    size_t worst = 0;
    for (size_t k = 0; k < sights.size(); ++k) {
      std::vector<Sight> others = sights;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      const auto rest = estimate(rig, others, point.at);
      if (!rest || (best && rest->chi2 >= best->chi2)) continue;
      best = rest;
      worst = k;
    }
    if (!best) return false;
    sights.erase(sights.begin() + static_cast<std::ptrdiff_t>(worst));
    point = *best;
  }
  return false;
}

std::vector<RayGroup> correspond(const SpaceRig& rig, DotIndex& dots,
                                 const CorrespondOptions& options,
                                 std::vector<RefusedGroup>* refused) {
  return Correspondence(rig, dots, options, refused).take();
}

}  // namespace glint::motion
