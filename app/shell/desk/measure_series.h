// Measures over the whole length of a recording, for curves.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "app/output/edit/measure.h"
#include "app/shell/desk/track_series.h"

namespace glint::shell {

/// What a measure begins or ends at: a place that stays, or a track, all of its rows by set.
using MeasureEnd = std::variant<output::MeasurePlace, TrackSeries>;

/// A measure in each set that has a row of all of its tracks: the first value of its points is px
/// or degrees, the others are 0. Empty where no end is a track, since nothing changes then.
std::vector<SeriesPoint> measureSeries(output::MeasureKind kind, std::span<const MeasureEnd> ends);

}  // namespace glint::shell
