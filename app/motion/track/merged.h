// Two markers that pass each other may appear as a single observation for some frames. The function
// here finds each marker's share of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/motion/track/observation.h"
#include "app/motion/track/track.h"

namespace glint::motion {

/// Returns each track's share of an observation of two markers, or nothing. `tracks` are predicted
/// for the present frame. An observation shows two markers if a track without an observation is
/// expected beside it, and if its mass is closer to the sum of both tracks' masses than to that of
/// one. It may have been matched to one of the two, or to none because it lies between them. In
/// either case it is marked in `used`, so that it begins no track.
///
/// `matches` has the observation of each track, or -1. Only tracks that are `able` are considered.
std::vector<std::optional<Share>> shareMerged(std::span<const Track> tracks,
                                              const std::vector<bool>& able,
                                              std::span<const Observation> seen,
                                              std::span<const int> matches, std::vector<bool>& used,
                                              const TrackerOptions& options);

}  // namespace glint::motion
