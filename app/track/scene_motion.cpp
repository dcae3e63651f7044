#include "app/track/scene_motion.h"

#include <algorithm>
#include <cmath>

namespace glint {
namespace {

// The same picture encoded twice: px that a place may differ, and the share of its mass.
constexpr double kRepeatedPlace = 0.05;
constexpr double kSameMass = 0.03;
// Of the observations, as many must be the same.
constexpr double kSameShare = 0.95;
// px: slower markers are as good as at rest.
constexpr double kLeastMotion = 0.5;
constexpr int kMostRepeats = 5;
// px: of an area that tells a density. Pictures are larger than where their first markers are.
constexpr double kLeastSide = 500;
constexpr double kForgetJump = 0.98;
// Frames over which jumps, and strangers, are counted.
constexpr double kJumpFrames = 30;
constexpr int kStrangerFrames = 50;

bool isSame(const Observation& a, const Observation& b) {
  return std::abs(a.x - b.x) <= kRepeatedPlace && std::abs(a.y - b.y) <= kRepeatedPlace &&
         !(std::abs(a.mass - b.mass) > kSameMass * std::abs(a.mass));
}

bool byPlace(const Observation& a, const Observation& b) {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// How many of `seen` are in `before`; both by place.
size_t countSame(std::span<const Observation> seen, std::span<const Observation> before) {
  size_t same = 0;
  for (const Observation& o : seen) {
    auto near = std::lower_bound(before.begin(), before.end(), o.x - kRepeatedPlace,
                                 [](const Observation& b, double x) { return b.x < x; });
    while (near != before.end() && near->x <= o.x + kRepeatedPlace && !isSame(*near, o)) ++near;
    same += near != before.end() && near->x <= o.x + kRepeatedPlace;
  }
  return same;
}

}  // namespace

bool SceneMotion::repeats(std::span<const Observation> seen) {
  widen(seen);
  std::vector<Observation> now(seen.begin(), seen.end());
  std::sort(now.begin(), now.end(), byPlace);
  const double most = static_cast<double>(std::max(now.size(), last_.size()));
  const bool again = !now.empty() && step_ >= kLeastMotion && repeated_ < kMostRepeats &&
                     static_cast<double>(countSame(now, last_)) >= kSameShare * most;
  repeated_ = again ? repeated_ + 1 : 0;
  last_ = std::move(now);
  return again;
}

void SceneMotion::learn(std::span<const double> steps, std::span<const double> jumps,
                        size_t strangers, size_t flashes) {
  std::vector<double> all(steps.begin(), steps.end());
  all.insert(all.end(), jumps.begin(), jumps.end());
  if (!all.empty()) {
    const auto upper = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 3 / 4);
    std::nth_element(all.begin(), upper, all.end());
    step_ = *upper;
  }
  farthestJump_ *= kForgetJump;
  for (const double jump : jumps) farthestJump_ = std::max(farthestJump_, jump);
  jumps_ += static_cast<double>(jumps.size()) - jumps_ / kJumpFrames;
  // In the first frame all are strangers.
  if (learnt_ > 0) sightings_ += static_cast<double>(strangers);
  sightings_ += static_cast<double>(all.size()) - sightings_ / kJumpFrames;
  if (learnt_ > 0) strangers_ += (static_cast<double>(flashes) - strangers_) / learnt_;
  learnt_ = std::min(learnt_ + 1, kStrangerFrames);
}

double SceneMotion::area() const {
  return std::max(right_ - left_, kLeastSide) * std::max(bottom_ - top_, kLeastSide);
}

void SceneMotion::widen(std::span<const Observation> seen) {
  for (const Observation& o : seen) {
    left_ = started_ ? std::min(left_, o.x) : o.x;
    right_ = started_ ? std::max(right_, o.x) : o.x;
    top_ = started_ ? std::min(top_, o.y) : o.y;
    bottom_ = started_ ? std::max(bottom_, o.y) : o.y;
    started_ = true;
  }
}

}  // namespace glint
