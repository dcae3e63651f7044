#include "app/desk/results.h"

#include <algorithm>
#include <set>
#include <utility>

namespace glint {
namespace {

/// See Tracker::takeSettled(): rows wait no longer.
uint64_t longestWait(const Settings::Track& settings) {
  return static_cast<uint64_t>(settings.maxGap + settings.confirm + 2);
}

}  // namespace

Results::Results(const Settings& settings, uint64_t revision, size_t cameras, size_t mostRows)
    : settings_(settings),
      revision_(revision),
      cameras_(cameras),
      roomForRows_(mostRows),
      all_(cameras) {}

uint64_t Results::measured() const {
  const std::lock_guard lock(mutex_);
  return measured_;
}

uint64_t Results::settled() const {
  const std::lock_guard lock(mutex_);
  return settled_;
}

bool Results::complete() const {
  const std::lock_guard lock(mutex_);
  return complete_;
}

bool Results::rowsKept() const {
  const std::lock_guard lock(mutex_);
  return rowsKept_;
}

std::shared_ptr<const ResultFrame> Results::frame(size_t camera, uint64_t frame) const {
  const std::lock_guard lock(mutex_);
  const auto& frames = all_.at(camera).frames;
  return frame < frames.size() ? frames[frame] : nullptr;
}

std::vector<std::shared_ptr<const ResultFrame>> Results::frames(size_t camera, uint64_t first,
                                                                uint64_t last) const {
  const std::lock_guard lock(mutex_);
  const auto& frames = all_.at(camera).frames;
  const uint64_t end = std::min(last < UINT64_MAX ? last + 1 : last, settled_);
  if (first >= end) return {};
  const auto begin = frames.begin();
  return {begin + static_cast<ptrdiff_t>(first), begin + static_cast<ptrdiff_t>(end)};
}

std::vector<uint32_t> Results::markerCounts(size_t camera, uint64_t first) const {
  const std::lock_guard lock(mutex_);
  const auto& frames = all_.at(camera).frames;
  std::vector<uint32_t> counts;
  for (uint64_t i = first; i < frames.size(); ++i) counts.push_back(frames[i]->markers);
  return counts;
}

std::vector<uint32_t> Results::trackCounts(size_t camera, uint64_t first) const {
  const std::lock_guard lock(mutex_);
  const auto& frames = all_.at(camera).frames;
  std::vector<uint32_t> counts;
  for (uint64_t i = first; i < settled_; ++i) counts.push_back(frames[i]->tracks);
  return counts;
}

std::vector<TrackStretch> Results::stretches(size_t camera) const {
  const std::lock_guard lock(mutex_);
  return all_.at(camera).stretches;
}

size_t Results::tracks() const {
  const std::lock_guard lock(mutex_);
  size_t sum = 0;  // ids are given across cameras, each to one of them
  for (const Camera& camera : all_) sum += camera.latest.size();
  return sum;
}

/// Rows come by frame; those of one frame may come in several calls.
void Results::take(Camera& camera, const TrackRow& row) {
  if (!camera.waiting.empty() && camera.waiting.front().frame != row.frame) settle(camera);
  camera.waiting.push_back(row);
}

void Results::settle(Camera& camera) {
  std::vector<TrackRow> rows = std::exchange(camera.waiting, {});
  if (rows.empty() || rows.front().frame >= camera.frames.size()) return;
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.track < b.track; });
  for (const TrackRow& row : rows) {
    const auto [latest, isNew] = camera.latest.try_emplace(row.track, camera.stretches.size());
    if (!isNew && camera.stretches[latest->second].last + 1 == row.frame) {
      camera.stretches[latest->second].last = row.frame;
    } else {
      latest->second = camera.stretches.size();
      camera.stretches.push_back({row.track, row.frame, row.frame});
    }
  }
  auto& place = camera.frames[rows.front().frame];
  auto whole = std::make_shared<ResultFrame>(*place);
  whole->tracks += static_cast<uint32_t>(rows.size());
  rowsKept_ = rowsKept_ && rows.size() <= roomForRows_;
  if (rowsKept_) {
    roomForRows_ -= rows.size();
    whole->rows.insert(whole->rows.end(), rows.begin(), rows.end());
  }
  place = std::move(whole);
}

void Results::add(const SessionFrame& frame) {
  const std::lock_guard lock(mutex_);
  const bool isNext = frame.measured() && frame.index == measured_;
  if (frame.measured() && !isNext) return;
  for (size_t i = 0; i < cameras_; ++i) {
    const CameraFrame& from = frame.cameras[i];
    if (isNext) {
      auto counts = std::make_shared<ResultFrame>();
      if (const auto& stamp = from.measured.stamp) {
        counts->measured = true;
        counts->time = stamp->time;
        counts->markers = static_cast<uint32_t>(from.measured.markers.size());
      }
      all_[i].frames.push_back(std::move(counts));
    }
    for (const TrackRow& row : from.settled) take(all_[i], row);
  }
  if (isNext) ++measured_;
  // A row of the newest frame that may be settled waits in `waiting` for others of its frame.
  const uint64_t wait = longestWait(settings_.track);
  const uint64_t settled = measured_ > wait ? measured_ - wait : 0;
  for (Camera& camera : all_)
    if (!camera.waiting.empty() && camera.waiting.front().frame < settled) settle(camera);
  settled_ = std::max(settled_, settled);
}

void Results::finish() {
  const std::lock_guard lock(mutex_);
  for (Camera& camera : all_) settle(camera);
  settled_ = measured_;
  complete_ = true;
}

}  // namespace glint
