// Pairs of markers that detect.separation takes for one marker.
#pragma once

#include <cstddef>
#include <span>

#include "shared/results.h"

namespace glint::study {

/// Limits for pairs, and the number of pairs from which they are reported. The values were chosen
/// with the likenesses of tests/cli/likeness_test.py.
struct PairOptions {
  /// The value of detect.separation that is tried, px. It separates most pairs. With a smaller one,
  /// noise on a single marker is taken for a second marker.
  double triedSeparation = 2.5;
  /// The least share of the mass of the heavier marker that the lighter marker must have. Lowering
  /// it counts glints and noise beside a marker as its partner.
  double leastMassShare = 0.2;
  /// The significance that each marker of a pair must have, in standard deviations of the noise.
  /// Lowering it counts noise as a partner.
  double leastSignificance = 10;
  /// The number of pairs, in all sampled frames together, from which they are reported.
  size_t leastPairs = 2;
  /// Pairs are reported if there is at least one for this many markers. Raising it reports rarer
  /// pairs.
  size_t markersPerPair = 50;
};

/// Returns the number of pairs of `markers` that are nearer to each other than `separation` (px).
/// `markers` were found with a smaller separation. Both markers of a pair are round, stand out
/// clearly from the noise, and are farther apart than the sum of their half widths.
size_t pairsWithin(std::span<const shared::Detection> markers, double separation,
                   const PairOptions& options = {});

/// True if the number of pairs among the markers, in all sampled frames together, is large enough
/// to report.
constexpr bool manyPairs(size_t pairs, size_t markers, const PairOptions& options = {}) {
  return pairs >= options.leastPairs && options.markersPerPair * pairs >= markers;
}

}  // namespace glint::study
