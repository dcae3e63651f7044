// Compares how markers look.
#pragma once

#include "app/motion/track/observation.h"
#include "app/motion/track/tracker_options.h"

namespace glint::motion {

/// Returns the cost, in nats, of taking two observations for one marker although their masses and
/// radii differ. A value that is unknown (0) costs nothing.
double appearanceCost(const Observation& a, const Observation& b, const MatchingOptions& options);

}  // namespace glint::motion
