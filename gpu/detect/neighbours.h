// Finds markers that are so near to each other that their light overlaps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shared/params.h"
#include "shared/results.h"

namespace glint::gpu {

/// Groups of near markers, which `refine_near` measures together.
struct NearGroups {
  std::vector<shared::NearMarkers> groups;
  std::vector<size_t> indices;  ///< index in `found` of each group's first marker
};
/// Returns a group for each peak of a layer that has near neighbours: the peak itself and its
/// nearest neighbours, at most kMostNear in all. `found` are the peaks in order of rank, which
/// `refine` has measured one by one.
///
/// Two peaks are near if their distance is less than the sum of the reaches of their light. The
/// reach of a Gaussian spot is 2.7 sigma. There are no groups for peaks of one round object, lines
/// and edges, lights with a reach above 9 px, and pairs of which both are faint. A peak with an
/// extent above `largest` (px) is no marker, but may be the neighbour of one.
NearGroups nearMarkers(uint32_t layer, std::span<const shared::Detection> found, float largest);

}  // namespace glint::gpu
