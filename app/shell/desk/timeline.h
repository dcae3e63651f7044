// A recording's frames in the columns of a timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "app/session/track_history.h"

namespace glint::shell {

/// Frames `first` up to `first + frames` (not counted) drawn in `columns` columns of pixels.
struct TimeAxis {
  uint64_t first = 0, frames = 1;  ///< frames >= 1
  size_t columns = 1;              ///< >= 1

  /// The frames of a column: begin and end (not counted), at least one.
  std::pair<uint64_t, uint64_t> framesOf(size_t column) const;
};

/// What the frames of one column hold.
struct TimelineColumn {
  uint32_t least = 0, most = 0;  ///< counts
  bool known = false;            ///< whether any of its frames has a count
  bool operator==(const TimelineColumn&) const = default;
};

/// `counts`: of frame 0, 1, 2, ... as far as they are known. So many columns as the timeline has.
std::vector<TimelineColumn> timelineColumns(const TimeAxis& axis, std::span<const uint32_t> counts);

/// The stretches that reach into the timeline, in rows for a drawing of who was there when: a track
/// has one row, and may have it after others that are over. Rows from 0, in the order of begin.
struct TimelineBar {
  session::TrackStretch stretch;
  size_t row = 0;
};
std::vector<TimelineBar> timelineBars(const TimeAxis& axis,
                                      std::span<const session::TrackStretch> stretches);

}  // namespace glint::shell
