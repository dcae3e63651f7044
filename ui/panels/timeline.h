// The scale that timeline and curves share, and the contents of the timeline.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/shell/desk/timeline.h"
#include "ui/context/context.h"
#include "ui/draw/style.h"

namespace glint::ui {

/// The places of frames along the screen.
struct Scale {
  float x = 0, width = 1;  ///< px
  uint64_t first = 0, last = 1;
  /// Returns the place of a frame, px, limited to the scale's ends.
  float of(uint64_t frame) const;
  /// Returns the frame that is nearest to a place, px.
  uint64_t at(float place) const;
};

/// Returns the distance, px, from the edges of the window or the curves to the first and last
/// frame.
inline float timeInset() {
  return wholePx(8);
}

/// Zooms with the wheel, around the cursor. With Shift, or if the wheel moves sideways, moves the
/// range instead. `last` is the last frame.
void zoomByWheel(shell::TimeZoom& zoom, const Scale& scale, uint64_t last);

/// The counts and tracks below the timeline, and the state of the history from which they were
/// made.
struct TimelineContent {
  std::shared_ptr<const session::TrackHistory> history;
  std::optional<size_t> camera = {};  ///< the enlarged camera; empty: all together
  uint64_t measured = 0, finalised = 0, edits = 0;
  shell::TimeZoom::Range range = {};
  double readAt = 0;  ///< time, s, at which the history was read last
  uint32_t most = 1;  ///< the largest number of markers in a frame
  std::vector<shell::TimelineColumn> columns = {};
  std::vector<shell::TimelineBar> bars = {};
  size_t rows = 1;  ///< rows of bars
};

/// Draws how many markers each frame holds, and in which frames each track exists.
void drawContent(const TimelineContent& content, const Scale& scale, float top, float height);

/// Draws the latest seconds of live cameras, instead of the timeline of a recording. The frames in
/// memory can be shown. `width` is in px.
void drawBand(Context& context, TimelineContent& content, float width);

}  // namespace glint::ui
