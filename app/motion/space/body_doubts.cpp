#include "app/motion/space/body_doubts.h"

#include <algorithm>

#include <fmt/format.h>

namespace glint::motion {
namespace {

// Returns the ways to lay all markers of a body onto those of another one, the best first.
std::vector<BodyGuess> waysToLay(const Body& part, const Body& whole) {
  if (part.markers.size() > whole.markers.size()) return {};
  std::vector<SearchPoint> points;
  for (const Body::Marker& marker : whole.markers)
    points.push_back({marker.at, Eigen::Matrix3d::Zero()});
  Body exact = part;
  exact.sigma = 0;
  auto ways = findBody(exact, SearchCloud(points, whole.extent()), kAlike);
  std::erase_if(ways, [&](const BodyGuess& way) { return way.found < part.markers.size(); });
  return ways;
}

}  // namespace

bool fitsInto(const Body& part, const Body& whole) {
  const auto ways = waysToLay(part, whole);
  return std::any_of(ways.begin(), ways.end(), [&](const BodyGuess& way) {
    if (&part != &whole) return true;
    for (size_t m = 0; m < way.points.size(); ++m)
      if (way.points[m] != static_cast<int>(m)) return true;
    return false;
  });
}

std::vector<std::string> doubtsOf(const std::vector<Body>& bodies) {
  std::vector<std::string> doubts;
  for (const Body& body : bodies)
    if (fitsInto(body, body))
      doubts.push_back(
          fmt::format("the body '{}' fits onto itself in several ways: its attitude may be another "
                      "after it was away; move a marker",
                      body.name));
  for (size_t b = 1; b < bodies.size(); ++b)
    for (size_t a = 0; a < b; ++a) {
      const bool first = fitsInto(bodies[a], bodies[b]), second = fitsInto(bodies[b], bodies[a]);
      if (first && second)
        doubts.push_back(fmt::format(
            "the bodies '{}' and '{}' look alike: only where they were last tells them apart",
            bodies[a].name, bodies[b].name));
      else if (first || second)
        doubts.push_back(fmt::format(
            "the markers of the body '{}' fit into those of '{}', and may be taken for it",
            bodies[first ? a : b].name, bodies[first ? b : a].name));
    }
  return doubts;
}

std::vector<KnownBody> knownBodies(const std::vector<Body>& bodies) {
  std::vector<KnownBody> all;
  for (const Body& body : bodies) {
    const size_t own = all.size();
    size_t kind = 0;
    while (kind < own && !(fitsInto(body, bodies[kind]) && fitsInto(bodies[kind], body))) ++kind;
    all.push_back({.body = body,
                   .centred = CentredBody(body),
                   .kind = kind,
                   .onKind = kind == own ? BodyGuess() : waysToLay(body, bodies[kind]).at(0),
                   .symmetric = fitsInto(body, body)});
  }
  return all;
}

}  // namespace glint::motion
