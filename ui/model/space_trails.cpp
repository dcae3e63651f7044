#include "ui/model/space_trails.h"

#include <iterator>

#include "app/motion/space/space_row.h"

namespace glint::ui {

void SpaceTrails::accept(const motion::FramePtr& frame) {
  const auto* space = frame->results.get<motion::SpaceFrame>();
  if (space == nullptr || !frame->measured()) return;
  const std::lock_guard lock(mutex_);
  if (frame->pass != pass_) points_.clear();
  pass_ = frame->pass;
  double now = 0;
  for (const motion::SpaceRow& row : space->now) {
    auto& places = points_[row.point];
    if (!places.empty() && places.back().set == frame->set) places.pop_back();
    places.push_back({frame->set, row.time, row.at});
    if (places.size() > kMostPlaces) places.pop_front();
    now = row.time;
  }
  if (space->now.empty()) return;
  for (auto it = points_.begin(); it != points_.end();) {
    auto& places = it->second;
    while (!places.empty() && places.front().time < now - kMostSeconds) places.pop_front();
    it = places.empty() ? points_.erase(it) : std::next(it);
  }
}

PointTrails SpaceTrails::of(Pass pass, SetIndex set, double seconds) const {
  PointTrails trails;
  const std::lock_guard lock(mutex_);
  if (pass != pass_) return trails;
  for (const auto& [point, places] : points_) {
    auto end = places.end();
    while (end != places.begin() && std::prev(end)->set > set) --end;
    if (end == places.begin() || std::prev(end)->set != set) continue;
    const double since = std::prev(end)->time - seconds;
    for (auto place = places.begin(); place != end; ++place)
      if (place->time >= since) trails[point].push_back(place->at);
  }
  return trails;
}

}  // namespace glint::ui
