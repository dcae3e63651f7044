// Draws a picture of a distance map, which shows at once if the map is right.
#pragma once

#include <cstddef>
#include <vector>

#include "app/study/volume/distance_map.h"

namespace glint::study {

/// Returns a PNG with three slices at right angles through the voxel with the largest distance; for
/// a plane, with one. It has isolines at round distances. The slices have the proportions that the
/// spacing gives. Voxels without a finite distance are grey. Throws Error if the picture cannot be
/// made.
std::vector<std::byte> drawSlices(const DistanceMap& map);

/// Returns the distance between isolines: 1, 2 or 5 times a power of ten, at least an eighth of
/// `most`; 1 if `most` is 0.
double isolineStep(double most);

}  // namespace glint::study
