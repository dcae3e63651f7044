// Two markers that pass each other are one observation for some frames: each one's share of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/track/observation.h"
#include "app/track/track.h"

namespace glint {

/// Each track's share of an observation of two markers, or nothing. `tracks` are predicted for the
/// present frame. An observation is that of two markers if a track without an observation is next
/// to it, and its mass is nearer to the sum of both than to one. It may have been matched to one of
/// the two, or to none, since it lies between them. Then it becomes `used`, and begins no track.
///
/// `matches` has the observation of each track, or -1; those that are not `able` have no part in
/// any.
std::vector<std::optional<Share>> shareMerged(std::span<const Track> tracks,
                                              const std::vector<bool>& able,
                                              std::span<const Observation> seen,
                                              std::span<const int> matches,
                                              std::vector<bool>& used);

}  // namespace glint
