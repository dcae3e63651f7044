#include "app/study/advice/dimmer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/motion/frame/threshold_doubt.h"
#include "config/setting_key.h"
#include "gpu/detect/limits.h"

namespace glint::study {
namespace {

/// Returns the round markers that stand out from the noise, have about the radius `radius` (px) and
/// are fainter than the level of their frame. `levels`: one response for each frame.
std::vector<shared::Detection> below(const MarkersByFrame& found, const std::vector<double>& levels,
                                     double radius, const DimmerOptions& options) {
  std::vector<shared::Detection> kept;
  for (size_t f = 0; f < found.size(); ++f)
    for (const shared::Detection& d : found[f])
      if (d.peak < levels[f] && d.elongation > 0 && d.elongation < gpu::kRound && d.radius > 0 &&
          !gpu::isFaint(d, options.significance) &&
          std::abs(std::log(double{d.radius} / radius)) < std::log(options.sizeRatio))
        kept.push_back(d);
  return kept;
}

}  // namespace

std::optional<Dimmer> findDimmer(const Settings& settings, const Measure& measure, size_t frames,
                                 double fullScale, const DimmerOptions& options) {
  if (!motion::thresholdIsOfMeasuredPlane(settings)) return std::nullopt;
  const MarkersByFrame found = measure(settings, frames);
  std::vector<double> radii, levels;
  for (const auto& frame : found) {
    double level = std::numeric_limits<double>::infinity();
    for (const shared::Detection& d : frame) {
      if (d.radius > 0) radii.push_back(d.radius);
      level = std::min(level, double(d.peak));
    }
    levels.push_back(frame.empty() ? 0 : level);
  }
  if (radii.empty()) return std::nullopt;
  const double radius = base::quantileOf(radii, 0.5);
  const auto bright = static_cast<double>(radii.size());
  Settings low = settings;
  low.detect.thresholdSigma = std::min(settings.detect.thresholdSigma, options.thresholdSigma);
  low.detect.maxMarkers = std::min(4 * settings.detect.maxMarkers, kMostDetections);
  const std::vector<shared::Detection> dim = below(measure(low, frames), levels, radius, options);
  const auto count = static_cast<double>(dim.size());
  const auto frameCount = static_cast<double>(found.size());
  if (count < options.leastShare * bright || count < options.leastPerFrame * frameCount)
    return std::nullopt;
  std::vector<double> contrasts;
  double threshold = fullScale;
  for (const shared::Detection& d : dim) {
    contrasts.push_back(gpu::contrastOf(d));
    threshold = std::min(threshold, double(d.peak) - gpu::contrastOf(d));
  }
  if (threshold <= 1 ||
      base::quantileOf(contrasts, 0.9) > options.contrastRatio * base::quantileOf(contrasts, 0.1))
    return std::nullopt;
  Settings negative = low;
  negative.response.dark =
      !settings.response.dark && settings.response.kind != ResponseKind::inverted;
  negative.response.kind = ResponseKind::luminance;
  const std::vector<double> all(found.size(), std::numeric_limits<double>::infinity());
  if (static_cast<double>(below(measure(negative, frames), all, radius, options).size()) >
      options.decoyShare * count)
    return std::nullopt;
  Dimmer dimmer{.markers = count / frameCount, .remedy = {}, .markersByFrame = {}};
  std::vector<std::string>& sets = dimmer.remedy.sets;
  sets.push_back(fmt::format("{}={:.2g}", "detect.threshold"_key, threshold / fullScale));
  const double wanted = (bright + count) / frameCount;
  int room = settings.detect.maxMarkers;
  while (room < kMostDetections && wanted > options.fullShare * room) room *= 2;
  if (room != settings.detect.maxMarkers)
    sets.push_back(fmt::format("{}={}", "detect.max_markers"_key, room));
  Settings then = settings;
  apply(dimmer.remedy, then);
  dimmer.markersByFrame = measure(then, frames);
  double reached = 0;
  for (const auto& frame : dimmer.markersByFrame)
    reached += static_cast<double>(frame.size()) / frameCount;
  if (reached < options.leastFound * wanted || reached > options.mostFound * wanted)
    return std::nullopt;
  return dimmer;
}

}  // namespace glint::study
