// Where candidates that are no markers are, and which of them are worth showing.
#pragma once

#include <utility>

#include "gpu/detect/detector.h"

namespace glint::ui {

/// Where it was measured, or, where it was not, its brightest pixel: x and y, px.
std::pair<double, double> placeOf(const gpu::Rejected& rejected);

/// Whether it is a further peak of a marker that was found: nothing that anybody misses.
bool isPartOfMarker(const gpu::LayerMeasurement& measured, const gpu::Rejected& rejected);

}  // namespace glint::ui
