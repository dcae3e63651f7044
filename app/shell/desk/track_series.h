// Tracks over the whole length of a recording, for curves.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "app/output/edit/edited_tracks.h"
#include "app/output/edit/measure.h"
#include "app/session/track_history.h"
#include "app/shell/desk/timeline.h"

namespace glint::shell {

/// What a curve shows of a track.
enum class Quantity { x, y, speed };

/// A row of a track.
struct SeriesPoint {
  SetIndex set;
  std::array<float, 3> value = {};  ///< by Quantity: px, px, px/s
  bool measured = false;
  bool joined = false;  ///< it was there in the frame before, too
};

struct TrackSeries {
  CameraIndex camera;
  TrackId track;
  std::vector<SeriesPoint> points = {};  ///< by set
  /// Of a set; null where it has no row.
  const SeriesPoint* at(SetIndex set) const;
};

/// Of a set; null where there is none. `points`: by set.
const SeriesPoint* pointAt(std::span<const SeriesPoint> points, SetIndex set);

/// Of these tracks, as they are edited, in the finalised sets whose rows were kept, in their order.
/// Takes time for each row of their cameras.
std::vector<TrackSeries> seriesOf(const session::TrackHistory& history,
                                  const output::EditedTracks& edits,
                                  std::span<const std::pair<CameraIndex, TrackId>> tracks);

/// The points whose sets one column of a timeline holds.
struct CurveColumn {
  float least = 0, most = 0;
  float first = 0, last = 0;
  bool any = false;
  bool joined = false;  ///< the first one continues the column before
};

/// One for each column of the axis.
std::vector<CurveColumn> curveColumns(const TimeAxis& axis, std::span<const SeriesPoint> points,
                                      Quantity quantity);

/// The points that lie in the axis.
std::span<const SeriesPoint> pointsIn(const TimeAxis& axis, std::span<const SeriesPoint> points);

/// The smallest 1, 2 or 5 times a power of ten that is at least `least` (> 0): between marks.
double markStep(double least);

/// One end of a measure: a place that stays, or a track with all of its rows by set.
using MeasureEnd = std::variant<output::MeasurePlace, TrackSeries>;

/// A measure in each set that has a row of all of its tracks: the first value of its points is px
/// or degrees, the others are 0. Empty where no end is a track, since nothing changes then.
std::vector<SeriesPoint> measureSeries(output::MeasureKind kind, std::span<const MeasureEnd> ends);

}  // namespace glint::shell
