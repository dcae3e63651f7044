#include "ui/model/presence.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace glint::ui {

void Presence::accept(const motion::FramePtr& accepted) {
  const motion::Frame& frame = *accepted;
  if (!frame.measured()) return;
  double time = 0;
  for (const motion::CameraFrame& camera : frame.cameras)
    if (camera.measured.stamp) time = camera.measured.stamp->time;
  const std::lock_guard lock(mutex_);
  auto& [first, times, cameras] = latest_;
  const SetIndex expected = first + times.size();
  if (frame.pass != pass_ || frame.set != expected || cameras.empty()) {
    times.clear();
    cameras.assign(frame.cameras.size(), {});
    first = frame.set;
  }
  if (frame.pass != pass_) held_.reset();
  pass_ = frame.pass;
  times.push_back(time);
  for (size_t i = 0; i < cameras.size(); ++i) {
    Camera& camera = cameras[i];
    const motion::CameraFrame& from = frame.cameras[i];
    const bool waits = from.measured.state == gpu::CameraState::none && !camera.counts.empty();
    camera.counts.push_back(waits ? camera.counts.back()
                                  : static_cast<uint32_t>(from.measured.markers.size()));
    if (!from.measured.stamp) continue;
    for (const motion::TrackRow& row : from.tracks) {
      auto& stretches = camera.tracks[row.track];
      if (!stretches.empty() && stretches.back().last == camera.before)
        stretches.back().last = frame.set;
      else
        stretches.push_back({row.track, frame.set, frame.set});
    }
    camera.before = frame.set;
  }
  while (times.size() > kMostSets || times.back() - times.front() > kSeconds) {
    times.pop_front();
    for (Camera& camera : cameras) camera.counts.pop_front();
    ++first;
  }
  for (Camera& camera : cameras) {
    for (auto it = camera.tracks.begin(); it != camera.tracks.end();) {
      auto& stretches = it->second;
      while (!stretches.empty() && stretches.front().last < first) stretches.pop_front();
      it = stretches.empty() ? camera.tracks.erase(it) : std::next(it);
    }
  }
}

void Presence::hold(bool on) {
  const std::lock_guard lock(mutex_);
  if (on && !held_) held_ = latest_;
  if (!on) held_.reset();
}

Presence::Stretch Presence::of(std::optional<size_t> camera, SetIndex last) const {
  const std::lock_guard lock(mutex_);
  const bool held = held_ && last < held_->first + held_->times.size();
  const auto& [first, times, cameras] = held ? *held_ : latest_;
  Stretch stretch{.first = first, .counts = {}, .tracks = {}};
  if (last < first) return stretch;
  stretch.counts.resize(std::min<size_t>(times.size(), last - first + 1));
  for (size_t i = 0; i < cameras.size(); ++i) {
    if (camera && *camera != i) continue;
    for (size_t set = 0; set < stretch.counts.size(); ++set)
      stretch.counts[set] += cameras[i].counts[set];
    for (const auto& [track, stretches] : cameras[i].tracks)
      for (const session::TrackStretch& one : stretches)
        if (one.first <= last)
          stretch.tracks.push_back({track, one.first, std::min(one.last, last)});
  }
  const double seconds = times.empty() ? 0 : times.back() - times.front();
  if (seconds > 0) stretch.rate = static_cast<double>(times.size() - 1) / seconds;
  return stretch;
}

}  // namespace glint::ui
