// A recording's frames in the columns of a timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// The whole, until it is zoomed. Frames from 0 to `last` of each call.
class TimeZoom {
 public:
  static constexpr double kLeast = 8;  ///< frames that are shown

  struct Range {
    uint64_t first = 0, last = 0;  ///< both are shown
    bool operator==(const Range&) const = default;
  };
  Range range(uint64_t last) const;
  bool zoomed() const { return part_.has_value(); }

  /// `factor` above 1 shows fewer frames; the frame `about` stays where it is.
  void zoomBy(double factor, double about, uint64_t last);
  void moveBy(double frames, uint64_t last);
  /// Moves on where the frame is not shown, so that what follows it is.
  void follow(uint64_t frame, uint64_t last);
  void reset() { part_.reset(); }

 private:
  struct Part {
    double first, frames;  // from one edge to the other
  };
  void set(Part part, uint64_t last);
  std::optional<Part> part_;
};

}  // namespace glint::shell
