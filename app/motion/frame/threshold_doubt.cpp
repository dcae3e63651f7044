#include "app/motion/frame/threshold_doubt.h"

#include <algorithm>

#include "gpu/detect/limits.h"
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

}  // namespace glint::motion
