// Peaks from a list of candidates, on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shared/results.h"

namespace glint::gpu {

/// `candidates`, the best first: with a greater weight, or among equals with the lesser place.
void sortByRank(std::vector<shared::Candidate>& candidates);

/// Returns the peaks among `ranked`: the best candidate that is left is accepted, and all nearer to
/// it than `separation`, px, are dropped, until none is left. The kernel `resolve` accepts the same
/// ones. The peaks above a higher threshold are the first of these, down to its weight, since a
/// dimmer candidate decides nothing about a brighter one.
std::vector<shared::Candidate> acceptPeaks(std::span<const shared::Candidate> ranked,
                                           double separation);

/// How much work that was.
struct PeakWork {
  size_t ranked = 0;    ///< candidates that were put in order
  size_t compared = 0;  ///< pairs of candidates
};

/// The same of candidates in any order, up to the `most` best; what cannot be among them is not put
/// in order. `work`: if not null, where it is counted.
std::vector<shared::Candidate> bestPeaks(std::span<const shared::Candidate> candidates,
                                         double separation, size_t most, PeakWork* work = nullptr);

}  // namespace glint::gpu
