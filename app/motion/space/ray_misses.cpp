#include "app/motion/space/ray_misses.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/base/quantile.h"

namespace glint::motion {

void RayMisses::see(const SpaceRig& rig, const DotIndex& dots) {
  if (rig.size() != 2 || dots.of(0).empty() || dots.of(1).empty()) return;
  for (size_t c = 0; c < 2; ++c)
    for (const DotIndex::Place& place : dots.of(c)) {
      ++dots_;
      used_ += place.used;
    }
  const RigCamera& camera = rig[1].camera();
  const double focal = (camera.lens.fx + camera.lens.fy) / 2;
  for (const DotIndex::Place& own : dots.of(0)) {
    if (misses_.size() >= options_.most) return;
    const Eigen::Vector3d line = rig.epipolar(0, 1) * own.plane;
    double least = std::numeric_limits<double>::infinity();
    for (const DotIndex::Place& other : dots.of(1)) {
      const double off = std::abs(other.plane.dot(line)) / line.head<2>().norm();
      if (off < least) least = off;
    }
    if (!std::isfinite(least)) continue;
    misses_.push_back(focal * least);
    // Dots anywhere in the image lie as densely on both sides of the line.
    const double expected =
        2 * misses_.back() * static_cast<double>(dots.of(1).size()) / camera.height;
    chances_.push_back(1 - std::exp(-expected));
  }
}

std::string RayMisses::sentence() const {
  if (misses_.size() < options_.minDots) return {};
  const double share = static_cast<double>(used_) / static_cast<double>(dots_);
  if (share >= options_.minUsed || base::medianOf(chances_) > options_.maxChance) return {};
  const double miss = base::medianOf(misses_);
  const std::string few =
      fmt::format("only {:.0f} % of the dots of cameras 0 and 1 make points", 100 * share);
  if (miss > options_.poor)
    return few +
           fmt::format(", because their rays miss each other by about {:.1f} px; calibrate again",
                       miss);
  return few + ", because most rays fit several of the other camera; add a camera";
}

}  // namespace glint::motion
