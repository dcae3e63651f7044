#include "ui/trails.h"

#include <iterator>

namespace glint::ui {

void Trails::take(const SessionFrame& frame) {
  const std::lock_guard lock(mutex_);
  if (frame.pass != pass_) cameras_.clear();
  pass_ = frame.pass;
  cameras_.resize(frame.cameras.size());
  for (size_t i = 0; i < cameras_.size(); ++i) {
    Camera& camera = cameras_[i];
    double now = 0;
    for (const TrackRow& row : frame.cameras[i].live) {
      auto& points = camera[row.track];
      points.push_back({row.frame, row.time, static_cast<float>(row.x), static_cast<float>(row.y)});
      if (points.size() > kMostPoints) points.pop_front();
      now = row.time;
    }
    if (frame.cameras[i].live.empty()) continue;
    for (auto it = camera.begin(); it != camera.end();) {
      auto& points = it->second;
      while (!points.empty() && points.front().time < now - kMostSeconds) points.pop_front();
      it = points.empty() ? camera.erase(it) : std::next(it);
    }
  }
}

std::map<uint64_t, std::vector<TrailPoint>> Trails::of(size_t camera, uint32_t pass, uint64_t frame,
                                                       double seconds) const {
  std::map<uint64_t, std::vector<TrailPoint>> trails;
  const std::lock_guard lock(mutex_);
  if (pass != pass_ || camera >= cameras_.size()) return trails;
  for (const auto& [track, points] : cameras_[camera]) {
    auto end = points.end();
    while (end != points.begin() && std::prev(end)->frame > frame) --end;
    if (end == points.begin() || std::prev(end)->frame != frame) continue;  // not alive there
    const double since = std::prev(end)->time - seconds;
    auto begin = end;
    while (begin != points.begin() && std::prev(begin)->time >= since) --begin;
    trails.emplace(track, std::vector<TrailPoint>(begin, end));
  }
  return trails;
}

}  // namespace glint::ui
