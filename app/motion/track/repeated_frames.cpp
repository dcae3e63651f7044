#include "app/motion/track/repeated_frames.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glint::motion {

bool RepeatedFrames::repeats(std::span<const Observation> seen) {
  std::vector<Observation> now(seen.begin(), seen.end());
  std::sort(now.begin(), now.end(), [](const Observation& a, const Observation& b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  });
  const double all = static_cast<double>(std::max(now.size(), last_.size()));
  const bool again = !now.empty() && motion_ >= options_.minMotion &&
                     repeated_ < options_.maxRepeats &&
                     static_cast<double>(countSame(now)) >= options_.minShare * all;
  repeated_ = again ? repeated_ + 1 : 0;
  count_ += again;
  last_ = std::move(now);
  return again;
}

void RepeatedFrames::learn(std::vector<double> steps) {
  if (steps.empty()) return;
  const auto upper = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() * 3 / 4);
  std::nth_element(steps.begin(), upper, steps.end());
  motion_ = *upper;
}

bool RepeatedFrames::isSame(const Observation& a, const Observation& b) const {
  return std::abs(a.x - b.x) <= options_.maxDistance &&
         std::abs(a.y - b.y) <= options_.maxDistance &&
         !(std::abs(a.mass - b.mass) > options_.maxMassChange * std::abs(a.mass));
}

// Returns the number of observations in `seen` that also appear in the last frame. Both are sorted
// by x.
size_t RepeatedFrames::countSame(std::span<const Observation> seen) const {
  const double reach = options_.maxDistance;
  size_t same = 0;
  for (const Observation& o : seen) {
    auto near = std::lower_bound(last_.begin(), last_.end(), o.x - reach,
                                 [](const Observation& b, double x) { return b.x < x; });
    while (near != last_.end() && near->x <= o.x + reach && !isSame(*near, o)) ++near;
    same += near != last_.end() && near->x <= o.x + reach;
  }
  return same;
}

}  // namespace glint::motion
