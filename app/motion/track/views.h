// Predicts where a marker on a turning body is, from two earlier scenes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "app/motion/track/companions.h"

namespace glint::motion {

/// Returns the predicted place of the marker to which `one` and `two` belong. Seen from afar, the
/// place of each marker of a rigid body in a view is a linear combination of its places in two
/// other views, and the combination is the same for all markers: S. Ullman, R. Basri, "Recognition
/// by linear combinations of models", IEEE PAMI 13 (1991). Thus two scenes contain the depth of the
/// body, which a single one does not. The combination is fitted to the companions; nearer ones have
/// more weight. The errors at each companion, when it is left out of the fit, give the covariance.
///
/// The companions and `now` must be sorted by id. Returns nothing if fewer than `minCompanions`
/// companions are in all three.
std::optional<Guess> combined(const Constellation& one, const Constellation& two,
                              std::span<const TrackPlace> now, size_t minCompanions,
                              const TwoViewOptions& options = {});

}  // namespace glint::motion
