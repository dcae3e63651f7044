#include "app/motion/space/known_body.h"

#include "app/motion/space/body_doubts.h"

namespace glint::motion {

std::vector<KnownBody> knownBodies(const std::vector<Body>& bodies) {
  std::vector<KnownBody> all;
  for (const Body& body : bodies) {
    const size_t own = all.size();
    size_t kind = 0;
    while (kind < own && !(fitsInto(body, bodies[kind]) && fitsInto(bodies[kind], body))) ++kind;
    all.push_back({.body = body,
                   .centred = CentredBody(body),
                   .kind = kind,
                   .onKind = kind == own ? BodyGuess() : layOn(body, bodies[kind]),
                   .symmetric = fitsInto(body, body)});
  }
  return all;
}

}  // namespace glint::motion
