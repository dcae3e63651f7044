#include "app/motion/track/scene_statistics.h"

#include <algorithm>

namespace glint::motion {

void SceneStatistics::widen(std::span<const Observation> seen) {
  for (const Observation& o : seen) {
    left_ = started_ ? std::min(left_, o.x) : o.x;
    right_ = started_ ? std::max(right_, o.x) : o.x;
    top_ = started_ ? std::min(top_, o.y) : o.y;
    bottom_ = started_ ? std::max(bottom_, o.y) : o.y;
    started_ = true;
  }
}

void SceneStatistics::learn(size_t steps, std::span<const double> jumps, size_t strangers,
                            size_t flashes) {
  const size_t followed = steps + jumps.size();
  farthestJump_ *= options_.jumpMemory;
  for (const double jump : jumps) farthestJump_ = std::max(farthestJump_, jump);
  jumps_ += static_cast<double>(jumps.size()) - jumps_ / options_.jumpFrames;
  // In the first frame every observation begins a track, which is not informative.
  if (learnt_ > 0) sightings_ += static_cast<double>(strangers);
  sightings_ += static_cast<double>(followed) - sightings_ / options_.jumpFrames;
  if (learnt_ > 0) strangers_ += (static_cast<double>(flashes) - strangers_) / learnt_;
  learnt_ = std::min(learnt_ + 1, options_.strangerFrames);
}

double SceneStatistics::area() const {
  return std::max(right_ - left_, options_.minSide) * std::max(bottom_ - top_, options_.minSide);
}

}  // namespace glint::motion
