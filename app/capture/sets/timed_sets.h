// Puts recordings into sets by time if their frames of one number were not taken at one moment.
// Internal to capture/.
#pragma once

#include <memory>
#include <vector>

#include "app/capture/source/source.h"

namespace glint::capture {

/// Replaces recordings by ones whose frames come in the sets of setsByTime(): in the others they
/// have a gap, and seeks go to sets. Leaves them as they are, and returns false, where frames of
/// one number belong together, or where a source does not state its rate. Warns where rates or
/// beginnings differ, but one does not tell its times.
/// `offsets`: s to add to each camera's times; empty or zeros: those by which the recordings begin
/// after each other, as their containers say, which it is set to.
bool spreadByTime(SourceList& sources, std::vector<double>& offsets);

}  // namespace glint::capture
