#include "app/motion/track/merged.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "app/motion/track/place_grid.h"

namespace glint::motion {
namespace {

double distance(const Track& track, const Observation& seen) {
  return std::hypot(seen.x - track.motion.x().position(), seen.y - track.motion.y().position());
}

// Returns true if `seen`, which was matched to `one`, shows both markers: the ratio of its mass to
// the sum is closer to 1 than that to the mass of `one`.
bool showsBoth(const Observation& seen, const Track& one, const Track& two, double minFactor) {
  const double alone = one.appearance.mass, both = one.appearance.mass + two.appearance.mass;
  return alone > 0 && two.appearance.mass > 0 && seen.mass > minFactor * alone &&
         seen.mass * seen.mass > alone * both;
}

// Returns the place of `one`. It assumes that `two` is at its expected place, and that the position
// of `seen` is the mean of both, weighted by their masses.
Share shareOf(const Observation& seen, const Track& one, const Track& two, double minSigma) {
  const double own = one.appearance.mass / (one.appearance.mass + two.appearance.mass);
  const double rest = 1 - own;
  const auto varianceOf = [&](const AxisFilter& other, double sigma) {
    return (rest * rest * other.positionVariance() + measurementVariance(sigma, minSigma)) /
           (own * own);
  };
  const AxisFilter &otherX = two.motion.x(), &otherY = two.motion.y();
  return {(seen.x - rest * otherX.position()) / own, (seen.y - rest * otherY.position()) / own,
          varianceOf(otherX, seen.sigmaX), varianceOf(otherY, seen.sigmaY)};
}

}  // namespace

std::vector<std::optional<Share>> shareMerged(std::span<const Track> tracks,
                                              const std::vector<bool>& able,
                                              std::span<const Observation> seen,
                                              std::span<const int> matches, std::vector<bool>& used,
                                              const TrackerOptions& options) {
  const double minSigma = options.matching.minSigma, minFactor = options.merging.minMassFactor;
  std::vector<std::optional<Share>> shares(tracks.size());
  // The track of each observation.
  std::vector<int> owner(seen.size(), -1);
  // Tracks without an observation.
  std::vector<size_t> free;
  for (size_t t = 0; t < tracks.size(); ++t) {
    if (matches[t] >= 0)
      owner[static_cast<size_t>(matches[t])] = static_cast<int>(t);
    else if (able[t])
      free.push_back(t);
  }
  if (free.empty()) return shares;
  std::vector<GridPlace> places;
  for (const size_t t : free)
    places.push_back({tracks[t].motion.x().position(), tracks[t].motion.y().position()});
  const PlaceGrid grid(places);
  // Pairs of a distance (px) and the index of a track.
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t o = 0; o < seen.size(); ++o) {
    const double reach = options.merging.maxDistance * seen[o].radius;
    ranked.clear();
    grid.around({seen[o].x, seen[o].y}, reach, reach, [&](size_t i) {
      const double away = distance(tracks[free[i]], seen[o]);
      if (!shares[free[i]] && away < reach) ranked.emplace_back(away, free[i]);
    });
    std::sort(ranked.begin(), ranked.end());
    std::vector<size_t> near;
    for (const auto& [away, t] : ranked) near.push_back(t);
    if (owner[o] >= 0) near.insert(near.begin(), static_cast<size_t>(owner[o]));
    if (near.size() < 2 || !able[near[0]]) continue;
    const Track &one = tracks[near[0]], &two = tracks[near[1]];
    if (!showsBoth(seen[o], one, two, minFactor)) continue;
    if (owner[o] < 0 && !showsBoth(seen[o], two, one, minFactor)) continue;
    shares[near[0]] = shareOf(seen[o], one, two, minSigma);
    shares[near[1]] = shareOf(seen[o], two, one, minSigma);
    used[o] = true;
  }
  return shares;
}

}  // namespace glint::motion
