// What is known of the bodies that are sought, before any is found.
#pragma once

#include <vector>

#include "app/motion/space/body_fit.h"
#include "app/motion/space/body_search.h"

namespace glint::motion {

/// A body, and what it has in common with the others.
struct KnownBody {
  Body body;
  CentredBody centred;     ///< the body about the mean of its markers
  size_t kind = 0;         ///< the first of the bodies that look like it
  BodyGuess onKind;        ///< how it lies on that one, if that is another body
  bool symmetric = false;  ///< true if it fits onto itself in another way
};

/// Compares the bodies with each other.
std::vector<KnownBody> knownBodies(const std::vector<Body>& bodies);

}  // namespace glint::motion
