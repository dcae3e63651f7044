#include "app/desk/results.h"

#include <algorithm>
#include <set>
#include <utility>

namespace glint {
namespace {

/// Until a track that is away was given up, or one that is new confirmed: rows come no later. See
/// Tracker::takeSettled().
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

/// Rows of one frame; more of it may come later, but none of a track before the ones it has.
void Results::take(Camera& camera, std::span<const TrackRow> rows) {
  if (rows.front().frame >= camera.frames.size()) return;
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
    std::sort(whole->rows.begin(), whole->rows.end(),
              [](const auto& a, const auto& b) { return a.track < b.track; });
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
    const std::span<const TrackRow> rows = from.settled;
    for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
      while (end < rows.size() && rows[end].frame == rows[begin].frame) ++end;
      take(all_[i], rows.subspan(begin, end - begin));
    }
  }
  if (isNext) ++measured_;
  const uint64_t wait = longestWait(settings_.track);
  settled_ = std::max(settled_, measured_ > wait ? measured_ - wait : 0);
}

void Results::finish() {
  const std::lock_guard lock(mutex_);
  settled_ = measured_;
  complete_ = true;
}

}  // namespace glint
