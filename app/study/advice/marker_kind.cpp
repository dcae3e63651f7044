#include "app/study/advice/marker_kind.h"

#include <algorithm>

#include "gpu/detect/limits.h"

namespace glint::study {

void apply(const MarkerKind& kind, Settings& settings, const BandOptions& options) {
  if (kind.dark) settings.response.dark = true;
  if (kind.elongated) settings.detect.maxEccentricity = gpu::kElongated;
  if (!kind.radius) return;
  const double radius = *kind.radius;
  if (radius <= options.largestMarker) {
    settings.response.kind = ResponseKind::dog;
    settings.response.radius = std::clamp(radius, 0.5, options.largestRadius);
    settings.response.gain = options.gain;
    settings.detect.thresholdSigma = options.thresholdSigma;
  }
  settings.detect.separation = std::max(1.5 * radius, 2.0);
  settings.detect.minRadius = 0.5 * radius;
  settings.detect.maxRadius = 2 * radius;
}

Settings settingsOfKind(const MarkerKind& kind, const Settings& now) {
  Settings settings = now;
  const Settings usual;
  settings.response = usual.response;
  settings.refine = usual.refine;
  settings.detect = usual.detect;
  settings.filters.clear();
  settings.detect.mask = now.detect.mask;
  settings.detect.region = now.detect.region;
  settings.detect.ignore = now.detect.ignore;
  apply(kind, settings);
  return settings;
}

}  // namespace glint::study
