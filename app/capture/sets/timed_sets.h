// Puts recordings into sets by time if their frames of one number were not taken at one moment.
// Internal to capture/.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "app/capture/source/source.h"

namespace glint::capture {

/// Replaces the recordings by sources whose frames come in the sets of setsByTime(): such a source
/// has gaps in the other sets, and seek() takes the number of a set. Returns false, and leaves the
/// recordings as they are, if frames of one number belong together or if a source does not state
/// its rate. Warns if rates or beginnings differ but a source does not know its frames' times.
/// `offsets`: s to add to each camera's times; empty: none.
bool spreadByTime(SourceList& sources, std::span<const double> offsets);

}  // namespace glint::capture
