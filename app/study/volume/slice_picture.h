// A picture of a distance map, to see at once whether it is right.
#pragma once

#include <cstddef>
#include <vector>

#include "app/study/volume/distance_map.h"

namespace glint::study {

/// PNG: three slices at right angles through the greatest distance (one of a plane), with isolines
/// at round distances, each pixel as wide as it is high by the spacing. Grey: nothing to measure
/// to.
std::vector<std::byte> drawSlices(const DistanceMap& map);

/// The distance between isolines: 1, 2 or 5 times a power of ten, about an eighth of `most`.
double isolineStep(double most);

}  // namespace glint::study
