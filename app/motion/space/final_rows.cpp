#include "app/motion/space/final_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace glint::motion {

void sortById(std::vector<SpaceRow>& rows) {
  std::sort(rows.begin(), rows.end(),
            [](const SpaceRow& a, const SpaceRow& b) { return a.point < b.point; });
}

void FinalRows::collect(std::span<PointTrack> tracks, uint64_t frame) {
  open_ = frame + 1;
  for (PointTrack& track : tracks) {
    open_ = std::min(open_, track.firstOpen(open_));
    if (track.id() == 0) continue;
    for (SpaceRow& row : track.takeRows()) rows_[row.frame].push_back(std::move(row));
  }
}

std::vector<SpaceRow> FinalRows::take() {
  std::vector<SpaceRow> all;
  while (!rows_.empty() && rows_.begin()->first < open_) {
    auto rows = std::move(rows_.begin()->second);
    rows_.erase(rows_.begin());
    sortById(rows);
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace glint::motion
