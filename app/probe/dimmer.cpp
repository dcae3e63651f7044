#include "app/probe/dimmer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/frame/quantile.h"
#include "app/frame/threshold_doubt.h"
#include "gpu/detect/limits.h"

namespace glint {
namespace {

// Deviations above the mean down to which is looked.
constexpr double kDimmerSigma = 1.5;
constexpr double kDimmerSignificance = 30;
// Of the radius of those above; of each other's contrast, but for a tenth at either end.
constexpr double kDimmerSize = 1.5, kDimmerAlike = 2;
// Of those found: so many are a kind of their own. A frame, at least. Of them, in the negative.
constexpr double kDimmerShare = 0.25, kDimmerLeast = 3, kDimmerDecoys = 0.25;
// What the threshold that is proposed must find of all, and at most.
constexpr double kDimmerFound = 0.95, kDimmerOthers = 1.05;
// Of detect.max_markers: more want more room.
constexpr double kDimmerFull = 0.75;

/// Clear and round, of about the radius, and below each frame's level.
std::vector<shared::Detection> below(const Findings& found, const std::vector<double>& levels,
                                     double radius) {
  std::vector<shared::Detection> kept;
  for (size_t f = 0; f < found.size(); ++f)
    for (const shared::Detection& d : found[f])
      if (d.peak < levels[f] && d.elongation > 0 && d.elongation < kRound && d.radius > 0 &&
          !isFaint(d, kDimmerSignificance) &&
          std::abs(std::log(double{d.radius} / radius)) < std::log(kDimmerSize))
        kept.push_back(d);
  return kept;
}

}  // namespace

std::optional<Dimmer> findDimmer(const Settings& settings, const Measure& measure, size_t frames,
                                 double fullScale) {
  if (!thresholdIsOfMeasuredPlane(settings)) return std::nullopt;
  const Findings found = measure(settings, frames);
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
  const double radius = quantileOf(radii, 0.5);
  const auto bright = static_cast<double>(radii.size());
  Settings low = settings;
  low.detect.thresholdSigma = std::min(settings.detect.thresholdSigma, kDimmerSigma);
  low.detect.maxMarkers = std::min(4 * settings.detect.maxMarkers, kMostDetections);
  const std::vector<shared::Detection> dim = below(measure(low, frames), levels, radius);
  const auto count = static_cast<double>(dim.size());
  const auto looked = static_cast<double>(found.size());
  if (count < kDimmerShare * bright || count < kDimmerLeast * looked) return std::nullopt;
  std::vector<double> contrasts;
  double threshold = fullScale;
  for (const shared::Detection& d : dim) {
    contrasts.push_back(contrastOf(d));
    threshold = std::min(threshold, double(d.peak) - contrastOf(d));
  }
  if (threshold <= 1 || quantileOf(contrasts, 0.9) > kDimmerAlike * quantileOf(contrasts, 0.1))
    return std::nullopt;
  Settings negative = low;
  negative.response.dark =
      !settings.response.dark && settings.response.kind != ResponseKind::inverted;
  negative.response.kind = ResponseKind::luminance;
  const std::vector<double> all(found.size(), std::numeric_limits<double>::infinity());
  if (static_cast<double>(below(measure(negative, frames), all, radius).size()) >
      kDimmerDecoys * count)
    return std::nullopt;
  Dimmer dimmer{.markers = count / looked};
  dimmer.sets.push_back(fmt::format("detect.threshold={:.2g}", threshold / fullScale));
  const double wanted = (bright + count) / looked;
  int room = settings.detect.maxMarkers;
  while (room < kMostDetections && wanted > kDimmerFull * room) room *= 2;
  if (room != settings.detect.maxMarkers)
    dimmer.sets.push_back(fmt::format("detect.max_markers={}", room));
  Settings then = settings;
  for (const std::string& set : dimmer.sets) setFromText(then, set, "probe");
  dimmer.findings = measure(then, frames);
  double reached = 0;
  for (const auto& frame : dimmer.findings) reached += static_cast<double>(frame.size()) / looked;
  if (reached < kDimmerFound * wanted || reached > kDimmerOthers * wanted) return std::nullopt;
  return dimmer;
}

}  // namespace glint
