// Which markers stand so near to each other that their light overlaps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shared/params.h"
#include "shared/results.h"

namespace glint::gpu {

/// Of the peaks of a layer, measured each on its own (`refine`), those beside others, each with its
/// nearest ones, kMostNear in all: what `refine_near` is to measure together. `found`, in order of
/// rank; `indices`: of each group's own marker.
///
/// Two belong together when their peaks are nearer than their light reaches: of Gaussian spots 2.7
/// sigma each. Left out are peaks of one round object, lines and edges, lights that reach beyond 9
/// px, and pairs that the noise drowns. What has an extent above `largest` (px) is no marker, but
/// may be beside one.
struct NearGroups {
  std::vector<shared::NearMarkers> groups;
  std::vector<size_t> indices;
};
NearGroups nearMarkers(uint32_t layer, std::span<const shared::Detection> found, float largest);

}  // namespace glint::gpu
