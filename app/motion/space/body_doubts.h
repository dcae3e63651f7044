// Bodies that look alike, and may be taken for one another or for themselves in another attitude.
#pragma once

#include <string>
#include <vector>

#include "app/motion/space/body_fit.h"
#include "app/motion/space/body_search.h"

namespace glint::motion {

/// Returns true if `part` fits into the markers of `whole`. For a body itself, marker N on marker N
/// does not count.
bool fitsInto(const Body& part, const Body& whole);

/// Returns a sentence for each body that fits onto itself in several ways, or into another one.
std::vector<std::string> doubtsOf(const std::vector<Body>& bodies);

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
