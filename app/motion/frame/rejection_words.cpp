#include "app/motion/frame/rejection_words.h"

#include <cmath>

#include <fmt/format.h>

#include "config/setting_key.h"

namespace glint::motion {
namespace {

/// Explains a candidate that is beyond a limit belonging to its reason for rejection. Several
/// limits can belong to one reason: the last one that is exceeded is used. If none is exceeded, the
/// first one is used. That happens if a blob is at the limit and only rounding put it beyond. Units
/// are appended to lengths only.
Explanation beyondLimit(const gpu::Rejected& rejected, const Settings::Detect& limits) {
  Explanation why;
  for (const gpu::MarkerQuantity& quantity : gpu::markerQuantities()) {
    const double value = quantity.valueOf(rejected.seen);
    const std::string_view unit = quantity.unit == "px" ? " px" : "";
    for (const gpu::MarkerLimit* limit : {&quantity.least, &quantity.most}) {
      if (limit->value == nullptr || limit->reason != rejected.reason) continue;
      const bool isLeast = limit == &quantity.least;
      const double bound = limits.*limit->value;
      if (!why.key.empty() && !(isLeast ? value < bound : value > bound)) continue;
      why = {fmt::format("{} {:.{}f}{} ({} {:g}{})", quantity.name, value, limit->digits, unit,
                         isLeast ? "minimum" : "maximum", bound, unit),
             limit->key};
    }
  }
  return why;
}

/// Explains a candidate that is too large. With a fitted radius above the limit, that limit is
/// stated. With a smaller radius, the marker fills the whole window of the fit. Without a fit, the
/// candidate's extent is stated.
Explanation tooLarge(const gpu::Rejected& rejected, const Settings::Detect& limits) {
  const shared::Detection& seen = rejected.seen;
  if (double{seen.radius} > limits.maxRadius) return beyondLimit(rejected, limits);
  constexpr std::string_view kKey = "detect.max_radius"_key;
  if (seen.radius > 0)
    return {fmt::format("it fills the measured area of radius {:.0f} px (maximum {:g} px)",
                        seen.radius, limits.maxRadius),
            kKey};
  return {fmt::format("it extends {:.0f} px from its centre (maximum {:.0f} px)", seen.extent,
                      gpu::largestExtent(limits)),
          kKey};
}

Explanation ridge(const shared::Detection& seen, const Settings::Detect& limits) {
  const double most = gpu::ridgeLimit(limits.maxEccentricity);
  return {seen.elongation >= gpu::kEndless
              ? fmt::format("no end in sight (maximum elongation {:.2g})", most)
              : fmt::format("elongation {:.3g} (maximum {:.2g})", seen.elongation, most),
          "detect.max_eccentricity"_key};
}

Explanation faint(const gpu::Rejected& rejected, const Settings::Detect& limits) {
  if (!rejected.measured || rejected.seen.radius <= 0)
    return {"nothing there stands out from the noise", "detect.min_significance"_key};
  return beyondLimit(rejected, limits);
}

/// Returns the key of the setting that leaves a place out of the measurement.
std::string_view keyOfMask(const Settings::Detect& limits) {
  if (!limits.mask.empty()) return "detect.mask"_key;
  return limits.region.empty() ? "detect.ignore"_key : "detect.region"_key;
}

Explanation tooNear(const gpu::Rejected& rejected, const Settings::Detect& limits,
                    std::span<const shared::Detection> markers) {
  constexpr std::string_view kKey = "detect.separation"_key;
  const uint32_t rank = rejected.nearestRank;
  if (rank == 0 || rank > markers.size())
    return {fmt::format("to a brighter candidate (minimum {:g} px)", limits.separation), kKey};
  const shared::Detection& best = markers[rank - 1];
  const shared::Detection& seen = rejected.seen;
  const double x = rejected.measured ? double{seen.x} : double(seen.peakX);
  const double y = rejected.measured ? double{seen.y} : double(seen.peakY);
  const double away = std::hypot(x - double{best.x}, y - double{best.y});
  if (away >= limits.separation)
    return {fmt::format("part of a marker of radius {:.1f} px, {:.1f} px from its centre",
                        best.radius, away),
            kKey};
  return {fmt::format("{:.1f} px from a better marker (minimum {:g} px)", away, limits.separation),
          kKey};
}

/// Returns the explanation without the words of the reason itself.
Explanation detailsOf(const gpu::Rejected& rejected, const Settings& settings,
                      std::span<const shared::Detection> markers) {
  const Settings::Detect& limits = settings.detect;
  switch (rejected.reason) {
    case gpu::Rejection::tooLarge:
      return tooLarge(rejected, limits);
    case gpu::Rejection::ridge:
      return ridge(rejected.seen, limits);
    case gpu::Rejection::faint:
      return faint(rejected, limits);
    case gpu::Rejection::masked:
      return {"this place is excluded from the measurement", keyOfMask(limits)};
    case gpu::Rejection::tooNear:
      return tooNear(rejected, limits, markers);
    case gpu::Rejection::beyondMost:
      return {fmt::format("{} better candidates (maximum {})", markers.size(), limits.maxMarkers),
              "detect.max_markers"_key};
    case gpu::Rejection::lowScore:
      return {fmt::format("score {:.2f} (minimum {:g})", rejected.score, limits.minScore),
              "detect.min_score"_key};
    case gpu::Rejection::ambiguous:
      return {fmt::format("score {:.2f} (minimum {:g} times that of the best match left out)",
                          rejected.score, limits.scoreRatio),
              "detect.score_ratio"_key};
    default:  // a limit of a quantity
      return beyondLimit(rejected, limits);
  }
}

}  // namespace

Explanation explain(const gpu::Rejected& rejected, const Settings& settings,
                    std::span<const shared::Detection> markers) {
  Explanation all = detailsOf(rejected, settings, markers);
  all.words = fmt::format("{}: {}", gpu::wordsOf(rejected.reason), all.words);
  return all;
}

}  // namespace glint::motion
