// Finds bodies that look alike, which may be mistaken for one another or for themselves in another
// attitude.
#pragma once

#include <string>
#include <vector>

#include "app/motion/space/body_fit.h"
#include "app/motion/space/body_search.h"

namespace glint::motion {

/// Returns true if all markers of `part` fit onto markers of `whole`. If both are the same object,
/// the trivial fit of each marker onto itself does not count.
bool fitsInto(const Body& part, const Body& whole);

/// Returns a sentence for each body that fits onto itself in several ways, or into another one.
std::vector<std::string> doubtsOf(const std::vector<Body>& bodies);

/// A body, and its similarity to the other bodies.
struct KnownBody {
  Body body;
  /// The body, with its markers relative to their mean.
  CentredBody centred;
  /// Index of the first body that looks like this one.
  size_t kind = 0;
  /// The fit of this body onto that one, if that is another body.
  BodyGuess onKind;
  /// True if the body fits onto itself in another way.
  bool symmetric = false;
};

/// Compares the bodies with each other. Returns one entry for each.
std::vector<KnownBody> knownBodies(const std::vector<Body>& bodies);

}  // namespace glint::motion
