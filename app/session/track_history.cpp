#include "app/session/track_history.h"

#include <algorithm>
#include <utility>

namespace glint::session {
namespace {

/// Maximum number of consecutive sets without a frame: an hour at 250 frames per second. A longer
/// gap means another clock.
constexpr uint64_t kMostPassedOver = 900'000;

/// Gaps of a camera up to this multiple of its mean interval are filled in markerCounts(). Longer
/// ones are shown as gaps.
constexpr size_t kUsualGap = 2;

}  // namespace

TrackHistory::TrackHistory(const Settings& settings, uint64_t revision, size_t cameras,
                           size_t mostRows)
    : settings_(settings),
      revision_(revision),
      room_(mostRows),
      roomForInputs_(mostRows),
      all_(cameras) {}

uint64_t TrackHistory::measured() const {
  const std::lock_guard lock(mutex_);
  return measured_;
}

uint64_t TrackHistory::finalised() const {
  const std::lock_guard lock(mutex_);
  return finalised_;
}

bool TrackHistory::complete() const {
  const std::lock_guard lock(mutex_);
  return complete_;
}

bool TrackHistory::rowsKept() const {
  const std::lock_guard lock(mutex_);
  return kept_;
}

std::shared_ptr<const HistoryFrame> TrackHistory::frame(CameraIndex camera, SetIndex set) const {
  const std::lock_guard lock(mutex_);
  const auto& frames = all_.at(camera.value()).frames;
  return set.value() < frames.size() ? frames[set.value()] : nullptr;
}

std::vector<std::shared_ptr<const HistoryFrame>> TrackHistory::frames(CameraIndex camera,
                                                                      SetIndex first,
                                                                      SetIndex last) const {
  const std::lock_guard lock(mutex_);
  const auto& frames = all_.at(camera.value()).frames;
  const uint64_t end = last < SetIndex(finalised_) ? last.value() + 1 : finalised_;
  if (first.value() >= end) return {};
  const auto begin = frames.begin();
  return {begin + static_cast<ptrdiff_t>(first.value()), begin + static_cast<ptrdiff_t>(end)};
}

// A frame in a short gap between two measured frames repeats the count before the gap. Thus a
// recording whose cameras have different rates does not show a count of 0 in between.
std::vector<uint32_t> TrackHistory::markerCounts(CameraIndex camera) const {
  const std::lock_guard lock(mutex_);
  const auto& frames = all_.at(camera.value()).frames;
  const auto measured = static_cast<size_t>(
      std::ranges::count_if(frames, [](const auto& frame) { return frame->measured; }));
  const size_t longest = measured > 0 ? kUsualGap * frames.size() / measured : 0;
  std::vector<uint32_t> counts;
  size_t gap = 0;
  for (const auto& frame : frames) {
    gap = frame->measured ? 0 : gap + 1;
    const bool shortGap = gap > 0 && gap <= longest && !counts.empty();
    counts.push_back(shortGap ? counts.back() : frame->markers);
  }
  return counts;
}

std::vector<TrackStretch> TrackHistory::stretches(CameraIndex camera) const {
  const std::lock_guard lock(mutex_);
  return all_.at(camera.value()).stretches;
}

bool TrackHistory::reaches(SetIndex set) const {
  const std::lock_guard lock(mutex_);
  return !checkpoints_.empty() && set.value() <= inputs_.size();
}

std::shared_ptr<const std::vector<TrackerInput>> TrackHistory::inputs(SetIndex set) const {
  const std::lock_guard lock(mutex_);
  return set.value() < inputs_.size() ? inputs_[set.value()] : nullptr;
}

std::optional<CameraTrackers> TrackHistory::trackersBefore(SetIndex set) const {
  std::shared_ptr<const CameraTrackers> from;
  std::vector<std::shared_ptr<const std::vector<TrackerInput>>> inputs;
  {
    const std::lock_guard lock(mutex_);
    const auto after = checkpoints_.upper_bound(set);
    if (after == checkpoints_.begin() || set.value() > inputs_.size()) return std::nullopt;
    const auto& [begin, trackers] = *std::prev(after);
    from = trackers;
    inputs.assign(inputs_.begin() + static_cast<ptrdiff_t>(begin.value()),
                  inputs_.begin() + static_cast<ptrdiff_t>(set.value()));
  }
  CameraTrackers trackers = *from;
  std::vector<motion::CameraFrame> frames(all_.size());
  for (const auto& one : inputs)
    if (one) trackers.update(*one, frames);
  return trackers;
}

/// Adds rows of one set. More rows of the set may follow later, but rows of a track come in order.
void TrackHistory::take(Camera& camera, std::span<const motion::TrackRow> rows) {
  const SetIndex set = rows.front().set;
  if (set.value() >= camera.frames.size()) return;
  for (const motion::TrackRow& row : rows) {
    auto& [stretch, frame] = camera.latest[row.track];
    if (frame + 1 == row.frame && stretch < camera.stretches.size() &&
        camera.stretches[stretch].track == row.track) {
      camera.stretches[stretch].last = set;
    } else {
      stretch = camera.stretches.size();
      camera.stretches.push_back({row.track, set, set});
    }
    frame = row.frame;
  }
  auto& place = camera.frames[set.value()];
  auto whole = std::make_shared<HistoryFrame>(*place);
  whole->tracks += static_cast<uint32_t>(rows.size());
  kept_ = kept_ && rows.size() <= room_;
  if (kept_) {
    room_ -= rows.size();
    whole->rows.insert(whole->rows.end(), rows.begin(), rows.end());
    std::ranges::sort(whole->rows, [](const auto& a, const auto& b) { return a.track < b.track; });
  }
  place = std::move(whole);
}

/// Adds empty entries for sets in which no camera has a frame. Such sets occur if only slow cameras
/// are left, and are never handed on.
void TrackHistory::passOver(SetIndex next) {
  for (; SetIndex(measured_) < next; ++measured_) {
    for (Camera& camera : all_) {
      auto empty = std::make_shared<HistoryFrame>();
      if (!camera.frames.empty()) empty->time = camera.frames.back()->time;
      camera.frames.push_back(std::move(empty));
    }
    if (inputs_.size() == measured_) inputs_.push_back(nullptr);
  }
}

/// Adds the next set: its counts, and the input of its trackers.
void TrackHistory::measure(const motion::Frame& frame) {
  auto inputs = std::make_shared<std::vector<TrackerInput>>();
  size_t seen = 0;
  const auto stamped = std::ranges::find_if(
      frame.cameras, [](const auto& camera) { return camera.measured.stamp.has_value(); });
  for (size_t i = 0; i < all_.size(); ++i) {
    const gpu::LayerMeasurement& measured = frame.cameras[i].measured;
    auto known = std::make_shared<HistoryFrame>();
    known->measured = measured.stamp.has_value();
    if (known->measured)
      known->time = measured.stamp->time;
    else if (stamped != frame.cameras.end())
      known->time = stamped->measured.stamp->time;
    known->markers = static_cast<uint32_t>(measured.markers.size());
    all_[i].frames.push_back(std::move(known));
    inputs->push_back(inputOf(frame.set, frame.cameras[i]));
    seen += inputs->back().seen.size();
  }
  ++measured_;
  const auto* before = frame.results.get<std::shared_ptr<const CameraTrackers>>();
  if (inputs_.size() + 1 < measured_ || seen > roomForInputs_) return;
  roomForInputs_ -= seen;
  if (before) checkpoints_[frame.set] = *before;
  inputs_.push_back(std::move(inputs));
}

void TrackHistory::accept(const motion::FramePtr& frame) {
  const std::lock_guard lock(mutex_);
  if (frame->measured()) {
    if (frame->set < SetIndex(measured_)) return;
    if (frame->set - SetIndex(measured_) > kMostPassedOver) return;
    passOver(frame->set);
    measure(*frame);
  }
  for (size_t i = 0; i < all_.size(); ++i) {
    const std::span<const motion::TrackRow> rows = frame->cameras[i].finalised;
    for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
      while (end < rows.size() && rows[end].set == rows[begin].set) ++end;
      take(all_[i], rows.subspan(begin, end - begin));
    }
  }
  if (!frame->measured()) return;
  final_.see(*frame, settings_.track);
  finalised_ = std::max(finalised_, final_.end().value());
}

void TrackHistory::conclude() {
  const std::lock_guard lock(mutex_);
  finalised_ = measured_;
  complete_ = true;
}

}  // namespace glint::session
