// Detects lenses with tangential distortion that the fit did not include.
#pragma once

#include <optional>

#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// Checks a fitted bundle in which p1 and p2 were held. Returns the camera whose dots show most
/// significantly that its p1 or p2 have other values, or nothing if none is significant. In the
/// images, a shift of the lens centre compensates for most of such an error, but positions in space
/// are still wrong.
std::optional<size_t> skewLens(const Bundle& bundle);

}  // namespace glint::motion
