#include "app/shell/desk/timeline.h"

#include <algorithm>
#include <map>

namespace glint::shell {

std::pair<uint64_t, uint64_t> TimeAxis::framesOf(size_t column) const {
  // Of up to 2^32 frames and columns, exact.
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
  std::map<TrackId, Life> lives;  // of each track that is there
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
  std::sort(order.begin(), order.end());
  std::vector<uint64_t> ends;  // of each row, the frame after its last one
  std::map<TrackId, size_t> rows;
  for (const auto& [first, track] : order) {
    const auto free = std::find_if(ends.begin(), ends.end(),
                                   [begin = first](uint64_t over) { return over <= begin; });
    rows[track] = static_cast<size_t>(free - ends.begin());
    if (free == ends.end()) ends.push_back(0);
    ends[rows[track]] = lives.at(track).last + 1;
  }
  std::vector<TimelineBar> bars;
  for (const session::TrackStretch& stretch : shown)
    bars.push_back({stretch, rows.at(stretch.track)});
  return bars;
}

}  // namespace glint::shell
