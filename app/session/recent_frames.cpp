#include "app/session/recent_frames.h"

#include <algorithm>
#include <utility>

namespace glint::session {

double RecentFrames::seconds() const {
  return kept_.empty() ? 0 : timeOf(kept_.back()) - timeOf(kept_.front());
}

/// Returns true if a frame in memory has an image of this camera. Usually the first frame has one.
bool RecentFrames::holds(size_t camera) const {
  return std::ranges::any_of(kept_, [&](const Kept& kept) {
    return std::ranges::find(kept.raw.shots, camera, &output::RawShot::camera) !=
           kept.raw.shots.end();
  });
}

/// Drops the oldest frame. Returns its memory if nobody else may be using it, otherwise an empty
/// set.
output::RawSet RecentFrames::drop() {
  output::RawSet raw = std::move(kept_.front().raw);
  kept_.pop_front();
  bytes_ -= output::bytesOf(raw);
  // Images that stay are no free memory.
  std::erase_if(raw.shots, [&](output::RawShot& shot) {
    if (holds(shot.camera)) return false;
    last_.insert_or_assign(shot.camera, Last{raw.index, std::move(shot)});
    return true;
  });
  return shared_ && raw.index <= *shared_ ? output::RawSet() : raw;
}

void RecentFrames::keep(const motion::Frame& frame, std::vector<gpu::LayerExpectation> expectations,
                        double seconds) {
  if (!frame.hasPixels()) return;
  output::RawSet spare;
  const auto first = std::ranges::find_if(frame.cameras, [](const motion::CameraFrame& camera) {
    return camera.measured.stamp.has_value();
  });
  const double now = first->measured.stamp->time;
  const size_t bytes = output::rawBytes(frame);
  while (!kept_.empty() && (now - timeOf(kept_.front()) > seconds || now < timeOf(kept_.back()) ||
                            bytes_ + bytes > mostBytes_))
    spare = drop();
  if (seconds <= 0) return last_.clear();
  auto bare = std::make_shared<motion::Frame>(frame);
  for (motion::CameraFrame& camera : bare->cameras) camera.pixels = nullptr;
  output::RawSet raw = output::copyRaw(frame, std::move(spare));
  bytes_ += output::bytesOf(raw);
  kept_.push_back({std::move(bare), std::move(expectations), std::move(raw)});
}

const RecentFrames::Kept* RecentFrames::find(SetIndex set, SetIndex from) const {
  if (kept_.empty()) return nullptr;
  const auto at =
      std::ranges::lower_bound(kept_, set, {}, [](const Kept& kept) { return kept.raw.index; });
  if (at == kept_.end()) return &kept_.back();
  const bool back = at->raw.index != set && set < from && at != kept_.begin();
  return back ? &*std::prev(at) : &*at;
}

std::optional<RecentFrames::Image> RecentFrames::imageOf(size_t camera, SetIndex set) const {
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) {
    if (kept->raw.index > set) continue;
    const auto& shots = kept->raw.shots;
    const auto shot = std::ranges::find(shots, camera, &output::RawShot::camera);
    if (shot != shots.end()) return Image{kept->raw.index, *shot};
  }
  const auto last = last_.find(camera);
  if (last != last_.end() && last->second.set <= set)
    return Image{last->second.set, last->second.shot};
  return std::nullopt;
}

std::vector<output::RawSet> RecentFrames::latest(double seconds) {
  std::vector<output::RawSet> sets;
  for (const Kept& kept : kept_)
    if (timeOf(kept_.back()) - timeOf(kept) <= seconds) sets.push_back(kept.raw);
  if (!kept_.empty()) shared_ = last();
  return sets;
}

}  // namespace glint::session
