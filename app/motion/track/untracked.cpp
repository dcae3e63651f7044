#include "app/motion/track/untracked.h"

#include <algorithm>

namespace glint::motion {

void Untracked::add(const Untracked& other) {
  observations += other.observations;
  ofHotPixels += other.ofHotPixels;
  flashes += other.flashes;
  steps += other.steps;
  farthest = std::max(farthest, other.farthest);
}

}  // namespace glint::motion
