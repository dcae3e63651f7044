#include "ui/model/presence.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace glint::ui {

void Presence::accept(const FramePtr& accepted) {
  const Frame& frame = *accepted;
  if (!frame.measured()) return;
  double time = 0;
  for (const CameraFrame& camera : frame.cameras)
    if (camera.measured.stamp) time = camera.measured.stamp->time;
  const std::lock_guard lock(mutex_);
  const SetIndex expected = first_ + times_.size();
  if (frame.pass != pass_ || frame.set != expected || cameras_.empty()) {
    times_.clear();
    cameras_.assign(frame.cameras.size(), {});
    first_ = frame.set;
  }
  pass_ = frame.pass;
  times_.push_back(time);
  for (size_t i = 0; i < cameras_.size(); ++i) {
    Camera& camera = cameras_[i];
    const CameraFrame& from = frame.cameras[i];
    const bool waits = from.measured.state == CameraState::none && !camera.counts.empty();
    camera.counts.push_back(waits ? camera.counts.back()
                                  : static_cast<uint32_t>(from.measured.markers.size()));
    if (!from.measured.stamp) continue;
    for (const TrackRow& row : from.tracks) {
      auto& stretches = camera.tracks[row.track];
      if (!stretches.empty() && stretches.back().last == camera.before)
        stretches.back().last = frame.set;
      else
        stretches.push_back({row.track, frame.set, frame.set});
    }
    camera.before = frame.set;
  }
  while (times_.size() > kMostSets || times_.back() - times_.front() > kSeconds) {
    times_.pop_front();
    for (Camera& camera : cameras_) camera.counts.pop_front();
    ++first_;
  }
  for (Camera& camera : cameras_) {
    for (auto it = camera.tracks.begin(); it != camera.tracks.end();) {
      auto& stretches = it->second;
      while (!stretches.empty() && stretches.front().last < first_) stretches.pop_front();
      it = stretches.empty() ? camera.tracks.erase(it) : std::next(it);
    }
  }
}

Presence::Stretch Presence::of(std::optional<size_t> camera, SetIndex last) const {
  const std::lock_guard lock(mutex_);
  Stretch stretch{.first = first_, .counts = {}, .tracks = {}};
  if (last < first_) return stretch;
  stretch.counts.resize(std::min<size_t>(times_.size(), last - first_ + 1));
  for (size_t i = 0; i < cameras_.size(); ++i) {
    if (camera && *camera != i) continue;
    for (size_t set = 0; set < stretch.counts.size(); ++set)
      stretch.counts[set] += cameras_[i].counts[set];
    for (const auto& [track, stretches] : cameras_[i].tracks)
      for (const TrackStretch& one : stretches)
        if (one.first <= last)
          stretch.tracks.push_back({track, one.first, std::min(one.last, last)});
  }
  const double seconds = times_.empty() ? 0 : times_.back() - times_.front();
  if (seconds > 0) stretch.rate = static_cast<double>(times_.size() - 1) / seconds;
  return stretch;
}

}  // namespace glint::ui
