// The places of candidates that became no markers, and which of them are worth showing.
#pragma once

#include <utility>

#include "gpu/detect/detector.h"

namespace glint::ui {

/// Returns the place, x and y in px, where a candidate was measured. If it was not measured,
/// returns its brightest pixel.
std::pair<double, double> placeOf(const gpu::Rejected& rejected);

/// Returns true if the candidate is a further peak of a marker that was found, so that nobody
/// misses it.
bool isPartOfMarker(const gpu::LayerMeasurement& measured, const gpu::Rejected& rejected);

}  // namespace glint::ui
