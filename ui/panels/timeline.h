// The scale that timeline and curves share, and what the timeline shows of the frames along it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/shell/desk/timeline.h"
#include "ui/context/context.h"
#include "ui/draw/style.h"

namespace glint::ui {

/// Where frames lie on the screen.
struct Scale {
  float x = 0, width = 1;  ///< px
  uint64_t first = 0, last = 1;
  /// Returns where a frame is, px; within the scale's ends.
  float of(uint64_t frame) const;
  /// Returns the frame that is nearest to a place.
  uint64_t at(float place) const;
};

/// px between the window's edges, or curves', and the first and last frame.
inline float timeInset() {
  return wholePx(8);
}

/// Zooms about the cursor with the wheel; with shift, or sideways, moves instead.
void zoomByWheel(shell::TimeZoom& zoom, const Scale& scale, uint64_t last);

/// The counts and tracks below the timeline, and the state of the history that they were made of.
struct TimelineContent {
  std::shared_ptr<const session::TrackHistory> history;
  std::optional<size_t> camera = {};  ///< the enlarged one; empty: all together
  uint64_t measured = 0, finalised = 0, edits = 0;
  shell::TimeZoom::Range range = {};
  double looked = 0;  ///< s
  uint32_t most = 1;  ///< markers
  std::vector<shell::TimelineColumn> columns = {};
  std::vector<shell::TimelineBar> bars = {};
  size_t rows = 1;  ///< of bars
};

/// Draws how many markers each frame holds, and which tracks are there when.
void drawContent(const TimelineContent& content, const Scale& scale, float top, float height);

/// Draws, instead of the timeline of a recording, the latest seconds of live cameras, of which
/// those in memory can be shown. `width`: px.
void drawBand(Context& context, TimelineContent& content, float width);

}  // namespace glint::ui
