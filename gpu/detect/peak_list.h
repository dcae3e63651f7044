// Selects peaks from a list of candidates on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shared/results.h"

namespace glint::gpu {

/// Sorts candidates so that the best is first: the one with the greatest weight, or among equal
/// ones the one with the lesser place.
void sortByRank(std::vector<shared::Candidate>& candidates);

/// Returns the peaks among `ranked`, which must be sorted by rank. The best remaining candidate is
/// accepted, all that are nearer to it than `separation`, px, are dropped, and this is repeated
/// until none is left. The kernel `resolve` accepts the same ones. The peaks for a higher threshold
/// are the first ones of the result, up to this threshold, because dimmer candidates have no
/// influence on brighter ones.
std::vector<shared::Candidate> acceptPeaks(std::span<const shared::Candidate> ranked,
                                           double separation);

/// The amount of work of bestPeaks().
struct PeakWork {
  size_t ranked = 0;    ///< number of candidates that were sorted
  size_t compared = 0;  ///< number of pairs of candidates that were compared
};

/// Returns the best peaks, at most `most`, of candidates in any order. Only those candidates are
/// sorted that may be among them. If `work` is not null, the amount of work is stored there.
std::vector<shared::Candidate> bestPeaks(std::span<const shared::Candidate> candidates,
                                         double separation, size_t most, PeakWork* work = nullptr);

}  // namespace glint::gpu
