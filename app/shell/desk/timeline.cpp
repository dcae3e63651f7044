#include "app/shell/desk/timeline.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace glint::shell {

std::pair<uint64_t, uint64_t> TimeAxis::framesOf(size_t column) const {
  // The product is exact for up to 2^32 frames and columns.
  const uint64_t begin = frames * column / columns, end = frames * (column + 1) / columns;
  return {first + begin, first + std::max(end, begin + 1)};
}

std::vector<TimelineColumn> timelineColumns(const TimeAxis& axis,
                                            std::span<const uint32_t> counts) {
  std::vector<TimelineColumn> columns(axis.columns);
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto [begin, end] = axis.framesOf(i);
    const auto known = static_cast<size_t>(std::min<uint64_t>(end, counts.size()));
    if (begin >= known) continue;
    const auto part = counts.subspan(begin, known - begin);
    const auto [least, most] = std::minmax_element(part.begin(), part.end());
    columns[i] = {*least, *most, true};
  }
  return columns;
}

std::vector<TimelineBar> timelineBars(const TimeAxis& axis,
                                      std::span<const session::TrackStretch> stretches) {
  struct Life {
    uint64_t first, last;
  };
  std::map<TrackId, Life> lives;  // the life of each track that exists
  const uint64_t end = axis.first + axis.frames;
  std::vector<session::TrackStretch> shown;
  for (const session::TrackStretch& stretch : stretches) {
    const uint64_t first = stretch.first.value(), last = stretch.last.value();
    if (last < axis.first || first >= end) continue;
    shown.push_back(stretch);
    const auto [life, isNew] = lives.try_emplace(stretch.track, Life{first, last});
    if (isNew) continue;
    life->second.first = std::min(life->second.first, first);
    life->second.last = std::max(life->second.last, last);
  }
  std::vector<std::pair<uint64_t, TrackId>> order;  // first frame, track
  for (const auto& [track, life] : lives) order.emplace_back(life.first, track);
  std::ranges::sort(order);
  std::vector<uint64_t> ends;  // the frame after the last one in each row
  std::map<TrackId, size_t> rows;
  for (const auto& [first, track] : order) {
    const auto free =
        std::ranges::find_if(ends, [begin = first](uint64_t over) { return over <= begin; });
    rows[track] = static_cast<size_t>(free - ends.begin());
    if (free == ends.end()) ends.push_back(0);
    ends[rows[track]] = lives.at(track).last + 1;
  }
  std::vector<TimelineBar> bars;
  for (const session::TrackStretch& stretch : shown)
    bars.push_back({stretch, rows.at(stretch.track)});
  return bars;
}

TimeZoom::Range TimeZoom::range(uint64_t last) const {
  if (!part_) return {0, last};
  const auto first = static_cast<uint64_t>(std::llround(std::max(0.0, part_->first)));
  const auto end = static_cast<uint64_t>(std::llround(part_->first + part_->frames));
  return {std::min(first, last), std::min(end, last)};
}

void TimeZoom::set(Part part, uint64_t last) {
  const auto whole = static_cast<double>(last);
  part.frames = std::max(part.frames, kLeast);
  part.first = std::clamp(part.first, 0.0, std::max(0.0, whole - part.frames));
  part_ = part.frames >= whole ? std::nullopt : std::optional(part);
}

void TimeZoom::zoomBy(double factor, double about, uint64_t last) {
  const Part now = part_.value_or(Part{0, static_cast<double>(last)});
  const double frames = std::max(now.frames / factor, kLeast);
  const double share = now.frames > 0 ? (about - now.first) / now.frames : 0;
  set({about - share * frames, frames}, last);
}

void TimeZoom::moveBy(double frames, uint64_t last) {
  if (part_) set({part_->first + frames, part_->frames}, last);
}

void TimeZoom::follow(uint64_t frame, uint64_t last) {
  if (!part_) return;
  const Range shown = range(last);
  if (frame >= shown.first && frame <= shown.last) return;
  constexpr double kBefore = 0.1;  // share of the range
  set({static_cast<double>(frame) - kBefore * part_->frames, part_->frames}, last);
}

}  // namespace glint::shell
