// The values of tracks over the whole length of a recording, for curves.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/output/edit/edited_tracks.h"
#include "app/output/edit/measure.h"
#include "app/session/track_history.h"
#include "app/shell/desk/space_history.h"
#include "app/shell/desk/timeline.h"

namespace glint::shell {

/// The value of a track, or of a point in space, that a curve shows. Tracks have no z.
enum class Quantity { x, y, z, speed };

/// A row of a track or of a point in space.
struct SeriesPoint {
  SetIndex set;
  /// Values by Quantity: lengths and lengths/s, in px for tracks and in mm for points in space.
  std::array<float, 4> value = {};
  bool measured = false;
  bool joined = false;  ///< true if the track was also in the frame before
};

/// The rows of one track.
struct TrackSeries {
  CameraIndex camera;
  TrackId track;
  std::vector<SeriesPoint> points = {};  ///< points by set
  /// Returns the point in a set; null if the track has no row there.
  const SeriesPoint* at(SetIndex set) const;
};

/// Returns the point in a set; null if there is none. `points` must be in the order of sets.
const SeriesPoint* pointAt(std::span<const SeriesPoint> points, SetIndex set);

/// Returns the series of these tracks, after the edits, in the finalised sets whose rows were kept.
/// They are in the order of `tracks`. Takes time for each row of their cameras.
std::vector<TrackSeries> seriesOf(const session::TrackHistory& history,
                                  const output::EditedTracks& edits,
                                  std::span<const std::pair<CameraIndex, TrackId>> tracks);

/// The rows of one point in space.
struct PointSeries {
  uint64_t point = 0;
  std::string name = {};                 ///< name of the point: see the function below
  std::vector<SeriesPoint> points = {};  ///< points by set
};

/// Returns the series of these points in space, in their order. A point that was a marker of a body
/// in any set is named after it, others are named "point 3". Needs SpaceHistory::whole().
std::vector<PointSeries> seriesOf(const SpaceHistory& history, std::span<const uint64_t> points);

/// The values of the points in one column of a timeline.
struct CurveColumn {
  float least = 0, most = 0;  // smallest and largest value
  float first = 0, last = 0;  // values of the first and last point
  bool any = false;           // true if the column has a point
  bool joined = false;        ///< true if the first point continues the column before
};

/// Returns one column for each of the axis.
std::vector<CurveColumn> curveColumns(const TimeAxis& axis, std::span<const SeriesPoint> points,
                                      Quantity quantity);

/// Returns the points within the axis.
std::span<const SeriesPoint> pointsIn(const TimeAxis& axis, std::span<const SeriesPoint> points);

/// Returns the distance between marks: the smallest 1, 2 or 5 times a power of ten that is at least
/// `least` (> 0).
double markStep(double least);

/// One end of a measure: a place that stays, or all rows of a track by set.
using MeasureEnd = std::variant<output::MeasurePlace, TrackSeries>;

/// Returns a measure in each set in which all of its tracks have a row. The first value of a point
/// is in px or degrees, the others are 0. Empty if no end is a track, since nothing changes then.
std::vector<SeriesPoint> measureSeries(output::MeasureKind kind, std::span<const MeasureEnd> ends);

}  // namespace glint::shell
