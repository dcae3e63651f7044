#include "ui/model/latest_frames.h"

#include <algorithm>
#include <iterator>

namespace glint::ui {

void LatestFrames::accept(const motion::FramePtr& frame) {
  if (!frame->measured() || frame->cameras.size() < 2) return;
  const std::lock_guard lock(mutex_);
  if (frame->pass != pass_) {
    cameras_.clear();
    held_.reset();
  }
  pass_ = frame->pass;
  cameras_.resize(frame->cameras.size());
  for (size_t i = 0; i < cameras_.size(); ++i) {
    if (!frame->cameras[i].measured.stamp) continue;
    auto kept = std::make_shared<motion::CameraFrame>(frame->cameras[i]);
    kept->pixels = nullptr;
    kept->finalised.clear();
    std::deque<LatestFrame>& camera = cameras_[i];
    // A frame that stays on the screen is measured again when settings change.
    while (!camera.empty() && camera.back().set >= frame->set) camera.pop_back();
    camera.push_back({frame->set, std::move(kept)});
    if (camera.size() > kMost) camera.pop_front();
  }
}

void LatestFrames::hold(bool on) {
  const std::lock_guard lock(mutex_);
  if (on && !held_) held_ = cameras_;
  if (!on) held_.reset();
}

std::optional<LatestFrame> LatestFrames::of(size_t camera, Pass pass, SetIndex set) const {
  const std::lock_guard lock(mutex_);
  const Cameras& cameras = held_ ? *held_ : cameras_;
  if (pass != pass_ || camera >= cameras.size()) return std::nullopt;
  const auto after = std::ranges::upper_bound(cameras[camera], set, {}, &LatestFrame::set);
  if (after == cameras[camera].begin()) return std::nullopt;
  return *std::prev(after);
}

}  // namespace glint::ui
