// Predicts where a marker on a turning body is, from two earlier scenes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "app/motion/track/companions.h"

namespace glint::motion {

/// Returns where the marker that `one` and `two` belong to is now. Seen from afar, each marker of a
/// rigid body is in every view the same linear combination of its places in two others: S. Ullman,
/// R. Basri, "Recognition by linear combinations of models", IEEE PAMI 13 (1991). So two scenes
/// know its depth, which a single one does not. The combination is fitted to the companions, and
/// near ones count most. Its errors at each companion, when that one is left out, give the
/// covariance.
///
/// All companions, and `now`, are sorted by id. Returns nothing if fewer than `minCompanions` of
/// them are in all three.
std::optional<Guess> combined(const Constellation& one, const Constellation& two,
                              std::span<const TrackPlace> now, size_t minCompanions,
                              const TwoViewOptions& options = {});

}  // namespace glint::motion
