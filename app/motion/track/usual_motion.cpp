#include "app/motion/track/usual_motion.h"

#include <optional>
#include <vector>

#include "app/base/quantile.h"
#include "app/motion/track/track.h"

namespace glint::motion {
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
  return {moving / known, base::medianOf(vx), base::medianOf(vy)};
}

}  // namespace glint::motion
