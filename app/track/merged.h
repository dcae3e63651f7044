// Two markers that pass each other are one observation for some frames: what it tells of each.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/track/observation.h"
#include "app/track/track.h"

namespace glint {

/// What each of `tracks`, predicted for the present frame, is told by an observation that it has a
/// part in, or nothing. An observation is two markers' where another track that has none is next to
/// it and its mass is nearer to the sum of both than to that of one. It may have been matched to
/// one of the two, or to none, since it lies between them: it is `used` then, and begins no track.
///
/// `matches` has the observation of each track, or -1; those that are not `able` have no part in
/// any.
std::vector<std::optional<Share>> shareMerged(std::span<const Track> tracks,
                                              const std::vector<bool>& able,
                                              std::span<const Observation> seen,
                                              std::span<const int> matches,
                                              std::vector<bool>& used);

}  // namespace glint
