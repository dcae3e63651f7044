#include "app/frame/threshold_doubt.h"

#include <algorithm>

#include <fmt/format.h>

#include "gpu/detect/limits.h"
#include "gpu/statistics.h"

namespace glint {
namespace {

// Of the contrast; and as a significance. Of dots on a scene that a threshold cuts nine of ten are
// within both, of the markers in other recordings 6 % at most (docs/measurements/defaults.md).
constexpr double kBarely = 0.25, kClearOfNoise = 30;
constexpr uint64_t kLeastShare = 3;  // one of so many
constexpr uint64_t kLeastAFrame = 8;
// Of a lamp: its share of the pixels, and of their spread.
constexpr double kLampArea = 0.001, kLampSpread = 0.5;

}  // namespace

bool thresholdIsOfMeasuredPlane(const Settings& settings) {
  const ResponseKind kind = settings.response.kind;
  return !settings.detect.threshold && settings.filters.empty() &&
         settings.detect.method == DetectMethod::peaks &&
         (kind == ResponseKind::luminance || kind == ResponseKind::inverted);
}

size_t countBarely(const LayerMeasurement& measured, const Settings& settings) {
  if (!thresholdIsOfMeasuredPlane(settings)) return 0;
  const auto barely = [&](const shared::Detection& d) {
    // Of a saturated one the threshold may be above all but its cap.
    return d.radius > 0 && (d.flags & shared::kFlagSaturated) == 0 && !isFaint(d, kClearOfNoise) &&
           d.peak - measured.threshold < kBarely * contrastOf(d);
  };
  return static_cast<size_t>(
      std::count_if(measured.markers.begin(), measured.markers.end(), barely));
}

bool manyBarely(uint64_t barely, uint64_t markers, uint64_t frames) {
  return barely > 0 && kLeastShare * barely >= markers && barely >= kLeastAFrame * frames;
}

std::string barelyText(double barely, double markers) {
  return fmt::format(
      "{:.0f} of {:.0f} markers a frame barely reach the threshold, so dimmer ones may be missing",
      barely, markers);
}

const shared::Detection* lampOf(const LayerMeasurement& measured, const Settings& settings) {
  if (!thresholdIsOfMeasuredPlane(settings) || measured.prominence > 0 || measured.pixels == 0)
    return nullptr;
  const auto pixels = static_cast<double>(measured.pixels);
  const double spread = pixels * variance(measured.response, measured.pixels);
  for (const shared::Detection& d : measured.markers) {
    const double contrast = contrastOf(d), area = d.mass / contrast;
    if (contrast > 0 && area >= kLampArea * pixels &&
        area * contrast * contrast >= kLampSpread * spread)
      return &d;
  }
  return nullptr;
}

}  // namespace glint
