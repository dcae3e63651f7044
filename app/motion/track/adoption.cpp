#include "app/motion/track/adoption.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "app/motion/track/appearance.h"
#include "app/motion/track/assignment.h"

namespace glint::motion {
namespace {

// Returns the cost, in nats, of `found` being the continuation of `lost`, or nothing if another
// marker is more likely. `unrelated` is -log(density of other markers that begin like `found`, per
// px^2 and per (px/frame)^2).
//
// Two assumptions are compared. The marker moved on smoothly, or it turned sharply (a bounce, a
// kick) and can be anywhere that its old speed or its usual acceleration could take it. A marker at
// rest stays in its place unless it begins to move. That is the less likely, the longer it has
// rested.
std::optional<double> adoptionCost(const Track& lost, const Track& found, double unrelated,
                                   const FrameContext& context) {
  const AdoptionOptions& options = context.options.adoption;
  const TrackRow& from = lost.last.row;
  const TrackRow& to = found.early.front().row;
  const double frames = (found.early.front().clock - lost.last.clock) / context.interval;
  if (to.frame <= from.frame || frames > context.settings.maxGap + 1) return std::nullopt;
  const MarkerMotion& motion = lost.motion;
  const double smooth = motion.x().mismatch(found.motion.x()) +
                        motion.y().mismatch(found.motion.y()) + 2 * std::log(context.interval);

  const double speed =
      std::hypot(from.vx, from.vy) * context.interval +
      2 * context.settings.acceleration * std::sqrt(std::max(1.0, motion.agility()));
  const double moved = std::hypot(to.x - from.x, to.y - from.y) / (speed * frames);
  const double faster = std::hypot(to.vx, to.vy) * context.interval / speed;
  const double hidden = frames - 1;
  // If the marker was not hidden at all, the start of its motion may have taken it out of its gate
  // at once.
  const double stayed = hidden < 0.5
                            ? context.options.motion.startCost - options.turnCost
                            : std::log(1 + (motion.learntFrom() + options.restFrames) / hidden);
  const double turned = options.turnCost +
                        (1 - motion.restlessness(context.options.motion)) * stayed +
                        (moved * moved + faster * faster) / 2 +
                        2 * std::log(2 * std::numbers::pi * speed * speed * frames);
  const double cost = std::min(smooth, turned) +
                      appearanceCost(lost.appearance, to.seen, context.options.matching) -
                      unrelated;
  return cost < 0 ? std::optional(cost) : std::nullopt;
}

// Returns -log(density of other markers that begin like `found`). Other markers begin where markers
// are, and move as those do: on a body, a marker that was hidden is near many others and moves like
// them. Therefore the density is that of the nearest neighbours, and the spread of velocities is
// theirs around the velocity of `found`.
double unrelatedCost(const Track& found, std::span<const Track> tracks,
                     const FrameContext& context) {
  const AdoptionOptions& options = context.options.adoption;
  // Squared distances in place (px^2) and in velocity ((px/s)^2).
  std::vector<std::pair<double, double>> near;
  const TrackRow& at = found.last.row;
  for (const Track& track : tracks) {
    if (!track.confirmed() || track.missed > 0) continue;
    const TrackRow& row = track.last.row;
    const double dx = row.x - at.x, dy = row.y - at.y, dvx = row.vx - at.vx, dvy = row.vy - at.vy;
    near.emplace_back(dx * dx + dy * dy, dvx * dvx + dvy * dvy);
  }
  double area = options.maxAreaPerMarker;
  double speed2 = context.settings.maxSpeed * context.settings.maxSpeed;
  const size_t count = std::min(options.neighbours, near.size());
  if (count > 0) {
    const auto end = near.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(near.begin(), end, near.end());
    const double radius2 = std::max(near[count - 1].first, options.minRadius * options.minRadius);
    area = std::min(area, std::numbers::pi * radius2 / static_cast<double>(count));
    double sum = 0;
    for (size_t n = 0; n < count; ++n) sum += near[n].second;
    const double perAxis =
        sum * context.interval * context.interval / (2.0 * static_cast<double>(count));
    const double own = std::hypot(at.vx, at.vy) * context.interval + options.speedNoise;
    speed2 = std::min(speed2, perAxis + std::pow(std::min(own, options.maxOwnSpeed), 2));
  }
  return options.unrelatedCost + std::log(area) + std::log(2 * std::numbers::pi * speed2);
}

}  // namespace

std::vector<int> adoptions(std::span<const Track> tracks, std::span<const size_t> lost,
                           std::span<const size_t> found, const FrameContext& context) {
  std::vector<AllowedPair> pairs;
  for (size_t f = 0; f < found.size() && !lost.empty(); ++f) {
    const Track& track = tracks[found[f]];
    const double unrelated = unrelatedCost(track, tracks, context);
    for (size_t l = 0; l < lost.size(); ++l)
      if (const auto cost = adoptionCost(tracks[lost[l]], track, unrelated, context))
        pairs.push_back({static_cast<int>(f), static_cast<int>(l), *cost});
  }
  return assign(static_cast<int>(found.size()), static_cast<int>(lost.size()), pairs);
}

}  // namespace glint::motion
