// Markers that detect.separation takes for one.
#pragma once

#include <cstddef>
#include <span>

#include "shared/results.h"

namespace glint {

/// px: a detect.separation that tells most pairs apart.
inline constexpr double kApart = 2.5;

/// How many pairs of `markers`, which were found with a smaller separation, are nearer than
/// `separation` (px) and yet two: both are round, clear of the noise, farther apart than their half
/// widths together, and neither has less than a fifth of the other's mass.
size_t pairsWithin(std::span<const shared::Detection> markers, double separation);

/// Whether so many of so many markers, in all frames looked at, are worth a word.
constexpr bool manyPairs(size_t pairs, size_t markers) {
  return pairs >= 2 && 50 * pairs >= markers;
}

}  // namespace glint
