#include "app/motion/frame/threshold_doubt.h"

#include <algorithm>

#include "gpu/detect/limits.h"
#include "gpu/ground_level.h"
#include "gpu/statistics.h"

namespace glint::motion {

bool thresholdIsOfMeasuredPlane(const Settings& settings) {
  const ResponseKind kind = settings.response.kind;
  return !settings.detect.threshold && settings.filters.empty() &&
         settings.detect.method == DetectMethod::peaks &&
         (kind == ResponseKind::luminance || kind == ResponseKind::inverted);
}

size_t countBarely(const gpu::LayerMeasurement& measured, const Settings& settings,
                   const ThresholdDoubtOptions& options) {
  if (!thresholdIsOfMeasuredPlane(settings)) return 0;
  const auto barely = [&](const shared::Detection& d) {
    // A saturated marker can be bright although only its flat top is above the threshold.
    return d.radius > 0 && (d.flags & shared::kFlagSaturated) == 0 &&
           !gpu::isFaint(d, options.clearOfNoise) &&
           d.peak - measured.threshold < options.barelyShare * gpu::contrastOf(d);
  };
  return static_cast<size_t>(
      std::count_if(measured.markers.begin(), measured.markers.end(), barely));
}

const shared::Detection* lampOf(const gpu::LayerMeasurement& measured, const Settings& settings,
                                const ThresholdDoubtOptions& options) {
  if (!thresholdIsOfMeasuredPlane(settings) || measured.prominence > 0 || measured.pixels == 0)
    return nullptr;
  const auto pixels = static_cast<double>(measured.pixels);
  const double spread = pixels * gpu::variance(measured.response, measured.pixels);
  for (const shared::Detection& d : measured.markers) {
    const double contrast = gpu::contrastOf(d), area = d.mass / contrast;
    if (contrast > 0 && area >= options.lampArea * pixels &&
        area * contrast * contrast >= options.lampSpread * spread)
      return &d;
  }
  return nullptr;
}

bool hasGlare(const gpu::LayerMeasurement& measured, const Settings& settings,
              const ThresholdDoubtOptions& options) {
  const gpu::Ground& ground = measured.ground;
  if (!thresholdIsOfMeasuredPlane(settings) || measured.prominence > 0 || ground.used == 0 ||
      lampOf(measured, settings, options) != nullptr)
    return false;
  const double bright = static_cast<double>(ground.bright) / ground.all;
  double ofMarkers = 0;  // share of the picture
  for (const shared::Detection& d : measured.markers)
    if (const double contrast = gpu::contrastOf(d); contrast > 0)
      ofMarkers += d.mass / contrast / static_cast<double>(measured.pixels);
  if (bright < options.glareArea || ofMarkers > options.glareOfMarkers * bright) return false;
  const gpu::GroundLevel level = gpu::levelOf(ground.used, ground.sum, ground.squares);
  const double own = level.threshold(settings.detect.thresholdSigma, measured.response.most,
                                     gpu::GroundOptions{}.minHeight);
  return measured.threshold - level.mean >= options.glareHeight * (own - level.mean);
}

}  // namespace glint::motion
