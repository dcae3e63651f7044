#include "app/probe/marker_kind.h"

#include <algorithm>

#include "gpu/detect/limits.h"

namespace glint {
namespace {

// px, response.radius at most; and the largest marker that such a band still answers to, at its
// rim.
constexpr double kLargestBand = 16, kLargestInBand = 50;
// The difference of Gaussians of a disc of full contrast is 0.47 of it: twice that fills the range.
constexpr int kGain = 4;
// Deviations above the mean response: textures make it wide, and are far below markers of some
// contrast.
constexpr double kSigmas = 5;

}  // namespace

void apply(const MarkerKind& kind, Settings& settings) {
  if (kind.dark) settings.response.dark = true;
  if (kind.elongated) settings.detect.maxEccentricity = kElongated;
  if (!kind.radius) return;
  const double radius = *kind.radius;
  if (radius <= kLargestInBand) {
    settings.response.kind = ResponseKind::dog;
    settings.response.radius = std::clamp(radius, 0.5, kLargestBand);
    settings.response.gain = kGain;
    settings.detect.thresholdSigma = kSigmas;
  }
  settings.detect.separation = std::max(1.5 * radius, 2.0);
  settings.detect.minRadius = 0.5 * radius;
  settings.detect.maxRadius = 2 * radius;
}

}  // namespace glint
