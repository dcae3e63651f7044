#include "ui/model/trails.h"

#include <iterator>
#include <utility>

namespace glint::ui {

void Trails::accept(const motion::FramePtr& accepted) {
  const motion::Frame& frame = *accepted;
  if (!frame.measured()) return;
  const std::lock_guard lock(mutex_);
  if (frame.pass != pass_) {
    cameras_.clear();
    held_.reset();
  }
  pass_ = frame.pass;
  cameras_.resize(frame.cameras.size());
  const SetIndex set = frame.set;
  for (size_t i = 0; i < cameras_.size(); ++i) {
    if (!frame.cameras[i].measured.stamp) continue;
    auto& [tracks, before, latest] = cameras_[i];
    if (set != latest) before = std::exchange(latest, set);
    double now = 0;
    for (const motion::TrackRow& row : frame.cameras[i].tracks) {
      auto& points = tracks[row.track];
      // Replaces the last point: a frame that stays on the screen is measured again when settings
      // change.
      if (!points.empty() && points.back().set == set) points.pop_back();
      const bool joined = !points.empty() && points.back().set == before;
      points.push_back(
          {set, row.time, static_cast<float>(row.x), static_cast<float>(row.y), joined});
      if (points.size() > kMostPoints) points.pop_front();
      now = row.time;
    }
    if (frame.cameras[i].tracks.empty()) continue;
    for (auto it = tracks.begin(); it != tracks.end();) {
      auto& points = it->second;
      while (!points.empty() && points.front().time < now - kMostSeconds) points.pop_front();
      it = points.empty() ? tracks.erase(it) : std::next(it);
    }
  }
}

void Trails::hold(bool on) {
  const std::lock_guard lock(mutex_);
  if (on && !held_) held_ = cameras_;
  if (!on) held_.reset();
}

TrailMap Trails::of(size_t camera, Pass pass, SetIndex set, double seconds) const {
  TrailMap trails;
  const std::lock_guard lock(mutex_);
  if (pass != pass_ || camera >= cameras_.size()) return trails;
  const bool held = held_ && camera < held_->size() && set <= (*held_)[camera].latest;
  for (const auto& [track, points] : (held ? *held_ : cameras_)[camera].tracks) {
    auto end = points.end();
    while (end != points.begin() && std::prev(end)->set > set) --end;
    // The track is not in this set.
    if (end == points.begin() || std::prev(end)->set != set) continue;
    const double since = std::prev(end)->time - seconds;
    auto begin = end;
    while (begin != points.begin() && std::prev(begin)->time >= since) --begin;
    trails.emplace(track, std::vector<TrailPoint>(begin, end));
  }
  return trails;
}

}  // namespace glint::ui
