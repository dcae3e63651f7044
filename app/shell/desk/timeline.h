// The frames of a recording in the columns of a timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/session/track_history.h"

namespace glint::shell {

/// The range of frames from `first` up to, but without, `first + frames`, drawn in `columns`
/// columns of pixels.
struct TimeAxis {
  uint64_t first = 0, frames = 1;  ///< frames >= 1
  size_t columns = 1;              ///< >= 1

  /// Returns the frames of a column: the first, and one past the last; at least one frame.
  std::pair<uint64_t, uint64_t> framesOf(size_t column) const;
};

/// The contents of the frames in one column.
struct TimelineColumn {
  uint32_t least = 0, most = 0;  ///< the smallest and largest count of markers
  bool known = false;            ///< true if at least one of its frames has a count
  bool operator==(const TimelineColumn&) const = default;
};

/// Returns the columns of the timeline. `counts` holds the counts of frames 0, 1, 2, ... as far as
/// they are known.
std::vector<TimelineColumn> timelineColumns(const TimeAxis& axis, std::span<const uint32_t> counts);

/// A stretch of a track, with the row in which it is drawn.
struct TimelineBar {
  session::TrackStretch stretch;
  size_t row = 0;
};
/// Returns the stretches within the timeline, in rows that show which tracks existed when. A track
/// keeps its row, and a row is used again once its track has ended. Rows are numbered from 0, in
/// the order in which the tracks begin.
std::vector<TimelineBar> timelineBars(const TimeAxis& axis,
                                      std::span<const session::TrackStretch> stretches);

/// The part of a timeline that is shown: all of it, until the user zooms. Frames are counted from 0
/// to the `last` of each call.
class TimeZoom {
 public:
  static constexpr double kLeast = 8;  ///< the fewest frames that are shown

  struct Range {
    uint64_t first = 0, last = 0;  ///< the first and last frame that are shown
    bool operator==(const Range&) const = default;
  };
  Range range(uint64_t last) const;
  bool zoomed() const { return part_.has_value(); }

  /// Zooms; a `factor` above 1 shows fewer frames. The frame `about` stays in its place.
  void zoomBy(double factor, double about, uint64_t last);
  void moveBy(double frames, uint64_t last);
  /// Moves the range if the frame is not in it, so that the following frames are.
  void follow(uint64_t frame, uint64_t last);
  void reset() { part_.reset(); }

 private:
  struct Part {
    // The frame at the left edge, and the number of frames; both may be fractions.
    double first, frames;
  };
  void set(Part part, uint64_t last);
  std::optional<Part> part_;
};

}  // namespace glint::shell
