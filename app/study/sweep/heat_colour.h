// The colours of a heat map.
#pragma once

#include <array>

namespace glint::study {

/// Red, green and blue, 0 to 255: dark blue over green to yellow; `share` from 0 to 1. Light and
/// dark tell it without colours.
std::array<double, 3> heatColour(double share);

}  // namespace glint::study
