// Whether a lens has what its model leaves out.
#pragma once

#include <optional>

#include "app/motion/calibrate/bundle.h"

namespace glint::motion {

/// Of a fitted bundle in which p1 and p2 were held: the camera for which the dots say most surely
/// that these are others, if that is sure. The centre makes up for most of them in the images, but
/// not in space.
std::optional<size_t> skewLens(const Bundle& bundle);

}  // namespace glint::motion
