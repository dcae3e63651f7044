// Where a marker of a turning body is, from two past scenes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "app/track/companions.h"

namespace glint {

/// Where the marker that `one` and `two` are of is now. Seen from afar, each marker of a rigid body
/// is in every view the same linear combination of its places in two others: S. Ullman, R. Basri,
/// "Recognition by linear combinations of models", IEEE PAMI 13 (1991). So two scenes know its
/// depth, which no single one does. The combination follows from the companions, mostly from near
/// ones. Its errors at each companion that is left out give the guess's covariance.
///
/// All companions by id, as `now`. Empty where fewer than `least` of them are in all three.
std::optional<Guess> combined(const Constellation& one, const Constellation& two,
                              std::span<const TrackPlace> now, size_t least);

}  // namespace glint
