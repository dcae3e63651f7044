#include "app/motion/track/usual_motion.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "app/motion/track/track.h"

namespace glint::motion {
namespace {

double upperMedian(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

UsualMotion usualMotionOf(std::span<const Track> tracks, const MotionOptions& options) {
  double known = options.priorMarkers, moving = options.priorMoving;
  std::vector<double> vx, vy;
  for (const Track& track : tracks) {
    const std::optional<bool> rests = track.rests(options);
    if (!track.confirmed() || track.missed > 0 || !rests) continue;
    ++known;
    moving += *rests ? 0 : 1;
    vx.push_back(track.motion.x().velocity());
    vy.push_back(track.motion.y().velocity());
  }
  return {moving / known, upperMedian(vx), upperMedian(vy)};
}

}  // namespace glint::motion
