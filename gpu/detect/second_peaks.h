// Finds second peaks of large objects. Of the peaks of one object, only the one nearest to the
// object's middle is measured.
#pragma once

#include <span>

#include "gpu/passes.h"
#include "shared/results.h"

namespace glint::gpu {

/// Returns true if the extent of a peak is so large that second peaks are left out. The peak need
/// not have been fitted.
bool isOnLargeObject(const shared::Detection& peak);

/// Flags second peaks with kFlagSecond and removes their measurements. A second peak has an extent
/// above 10.8 px, so that its light does not overlap with that of others. A better peak is nearer
/// to the middle of the extent, at a distance below 0.9 times the extent (0.5 if it is not round),
/// and has at most 2.5 times the response. `found` must be in order of rank, and fitted with
/// `refinement`. `refine` does the same if it knows all peaks (Refinement::seconds).
void leaveOutSeconds(std::span<shared::Detection> found, const Refinement& refinement);

}  // namespace glint::gpu
