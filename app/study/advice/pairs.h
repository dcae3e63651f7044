// Pairs of markers that detect.separation takes for one.
#pragma once

#include <cstddef>
#include <span>

#include "shared/results.h"

namespace glint::study {

/// Limits for pairs, and how many pairs matter. The values were chosen with the likenesses of
/// tests/cli/likeness_test.py.
struct PairOptions {
  /// The detect.separation that is tried, px. It tells most pairs apart; a smaller one takes the
  /// noise on a single marker for a second one.
  double triedSeparation = 2.5;
  /// Share of the heavier one's mass that the lighter one must have. Lowering it counts glints and
  /// noise beside a marker as its partner.
  double leastMassShare = 0.2;
  /// Significance (standard deviations) that each of the two must have.
  double leastSignificance = 10;
  /// Pairs in all sampled frames together from which they matter.
  size_t leastPairs = 2;
  /// Pairs matter from one in so many markers on. Raising it reports rarer pairs.
  size_t markersPerPair = 50;
};

/// Returns how many pairs of `markers`, which were found with a smaller separation, are nearer to
/// each other than `separation` (px) and yet two. Both are round, clear of the noise, and farther
/// apart than their half widths together.
size_t pairsWithin(std::span<const shared::Detection> markers, double separation,
                   const PairOptions& options = {});

/// True if so many pairs among so many markers, in all sampled frames together, are worth telling.
constexpr bool manyPairs(size_t pairs, size_t markers, const PairOptions& options = {}) {
  return pairs >= options.leastPairs && options.markersPerPair * pairs >= markers;
}

}  // namespace glint::study
