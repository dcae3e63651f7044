// Compares the brightness and the size of observations.
#pragma once

#include "app/motion/track/observation.h"
#include "app/motion/track/tracker_options.h"

namespace glint::motion {

/// Returns the cost, in nats, of taking two observations for the same marker although their masses
/// and radii differ. Unknown values (0) cost nothing.
double appearanceCost(const Observation& a, const Observation& b, const MatchingOptions& options);

}  // namespace glint::motion
