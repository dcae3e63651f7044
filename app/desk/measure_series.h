// Measures over the whole length of a recording, for curves.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "app/desk/track_series.h"
#include "app/edit/measure.h"

namespace glint {

/// What a measure begins or ends at: a place that stays, or a track, all of its rows by set.
using MeasureEnd = std::variant<MeasurePlace, TrackSeries>;

/// A measure in each set that has a row of all of its tracks: the first value of its points is px
/// or degrees, the others are 0. Empty where no end is a track, since nothing changes then.
std::vector<SeriesPoint> measureSeries(MeasureKind kind, std::span<const MeasureEnd> ends);

}  // namespace glint
