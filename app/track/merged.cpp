#include "app/track/merged.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "app/track/place_grid.h"

namespace glint {
namespace {

// How far from an observation, in its radii, a marker may be expected that is part of it.
constexpr double kReach = 2;
// How much heavier than one marker two are at least: masses vary.
constexpr double kHeavier = 1.4;

double distance(const Track& track, const Observation& seen) {
  return std::hypot(seen.x - track.x.position(), seen.y - track.y.position());
}

// Whether `seen`, which would be `one`, rather is both.
bool isSum(const Observation& seen, const Track& one, const Track& two) {
  const double alone = one.look.mass, both = one.look.mass + two.look.mass;
  return alone > 0 && two.look.mass > 0 && seen.mass > kHeavier * alone &&
         seen.mass * seen.mass > alone * both;
}

// What is left of `seen` for `one` where `two` is expected, by their masses: the joint estimate of
// both from their weighted mean.
Share shareOf(const Observation& seen, const Track& one, const Track& two) {
  const double own = one.look.mass / (one.look.mass + two.look.mass), rest = 1 - own;
  const auto varianceOf = [&](const AxisFilter& other, double sigma) {
    return (rest * rest * other.positionVariance() + measurementVariance(sigma)) / (own * own);
  };
  return {(seen.x - rest * two.x.position()) / own, (seen.y - rest * two.y.position()) / own,
          varianceOf(two.x, seen.sigmaX), varianceOf(two.y, seen.sigmaY)};
}

}  // namespace

std::vector<std::optional<Share>> shareMerged(std::span<const Track> tracks,
                                              const std::vector<bool>& able,
                                              std::span<const Observation> seen,
                                              std::span<const int> matches,
                                              std::vector<bool>& used) {
  std::vector<std::optional<Share>> shares(tracks.size());
  std::vector<int> owner(seen.size(), -1);
  std::vector<size_t> free;  // tracks
  for (size_t t = 0; t < tracks.size(); ++t) {
    if (matches[t] >= 0)
      owner[static_cast<size_t>(matches[t])] = static_cast<int>(t);
    else if (able[t])
      free.push_back(t);
  }
  if (free.empty()) return shares;
  std::vector<GridPlace> places;
  for (const size_t t : free) places.push_back({tracks[t].x.position(), tracks[t].y.position()});
  const PlaceGrid grid(places);
  std::vector<std::pair<double, size_t>> ranked;  // px, and tracks
  for (size_t o = 0; o < seen.size(); ++o) {
    const double reach = kReach * seen[o].radius;
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
    if (!isSum(seen[o], one, two) || (owner[o] < 0 && !isSum(seen[o], two, one))) continue;
    shares[near[0]] = shareOf(seen[o], one, two);
    shares[near[1]] = shareOf(seen[o], two, one);
    used[o] = true;
  }
  return shares;
}

}  // namespace glint
