#include "app/shell/desk/point_links.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

namespace glint::shell {

std::map<TrackId, uint64_t> pointsOfTracks(const motion::SpaceRig& rig, size_t camera,
                                           std::span<const motion::SpaceRow> points,
                                           std::span<const motion::TrackRow> tracks) {
  constexpr double kReach = 6;  // px
  std::vector<const motion::TrackRow*> byX;
  for (const motion::TrackRow& track : tracks) byX.push_back(&track);
  std::ranges::sort(byX, {}, &motion::TrackRow::x);
  std::vector<std::tuple<double, TrackId, uint64_t>> pairs;
  for (const motion::SpaceRow& point : points) {
    const auto image = rig[camera].see(point.at);
    if (!image) continue;
    const bool seen = (point.cameras >> camera & 1) != 0;
    const double x = image->pixel.x(), y = image->pixel.y();
    for (auto track = std::ranges::lower_bound(byX, x - kReach, {}, &motion::TrackRow::x);
         track != byX.end() && (*track)->x <= x + kReach; ++track) {
      const double away = std::hypot((*track)->x - x, (*track)->y - y);
      const bool may = seen || (*track)->state == motion::TrackState::predicted;
      if (may && away <= kReach) pairs.emplace_back(away, (*track)->track, point.point);
    }
  }
  std::ranges::sort(pairs);
  std::map<TrackId, uint64_t> links;
  std::set<uint64_t> taken;
  for (const auto& [away, track, point] : pairs)
    if (!links.contains(track) && taken.insert(point).second) links[track] = point;
  return links;
}

}  // namespace glint::shell
