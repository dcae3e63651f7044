// Peaks of one large object, of which the one that is nearest to its middle is measured.
#pragma once

#include <span>

#include "gpu/passes.h"
#include "shared/results.h"

namespace glint::gpu {

/// Whether its extent is such that seconds are left out; that of a peak that was not fitted, too.
bool isOnLargeObject(const shared::Detection& peak);

/// Leaves out, with kFlagSecond and no measurement, the peaks of an extent above 10.8 px, farther
/// than light reaches into another's, of which a better one is nearer to the extent's middle:
/// within 0.9 of it (0.5 if it is not round), and of at most 2.5 times the response. `found`, in
/// order of rank, were fitted by `refinement`; `refine` does the same itself where it has all peaks
/// (Refinement::seconds).
void leaveOutSeconds(std::span<shared::Detection> found, const Refinement& refinement);

}  // namespace glint::gpu
