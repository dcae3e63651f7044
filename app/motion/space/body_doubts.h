// Which bodies may be taken for one another, or for themselves in another attitude.
#pragma once

#include <string>
#include <vector>

#include "app/motion/space/body_search.h"

namespace glint::motion {

/// Whether `part` fits into the markers of `whole`, for a body itself in another way than by
/// marker N on marker N.
bool fitsInto(const Body& part, const Body& whole);

/// A sentence for each body that fits onto itself in several ways, or into another one.
std::vector<std::string> doubtsOf(const std::vector<Body>& bodies);

/// The best way to lay all markers of a body on those of another, which it fitsInto().
BodyGuess layOn(const Body& part, const Body& whole);

}  // namespace glint::motion
