#include "app/motion/frame/rejection_words.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "config/setting_key.h"
namespace glint::motion {
namespace {

Explanation tooSmall(const shared::Detection& seen, const Settings::Detect& limits) {
  if (double{seen.radius} < limits.minRadius)
    return {fmt::format("radius {:.2f} px, needed {:g} px", seen.radius, limits.minRadius),
            "detect.min_radius"_key};
  return {fmt::format("mass {:.0f}, needed {:g}", seen.mass, limits.minMass),
          "detect.min_mass"_key};
}

/// Without a fit it reaches too far; with one that fills its window, too.
Explanation tooLarge(const shared::Detection& seen, const Settings::Detect& limits) {
  constexpr std::string_view kKey = "detect.max_radius"_key;
  if (double{seen.radius} > limits.maxRadius)
    return {fmt::format("radius {:.1f} px, allowed {:g} px", seen.radius, limits.maxRadius), kKey};
  if (seen.radius > 0)
    return {fmt::format("it fills the {:.0f} px that are measured, allowed {:g} px", seen.radius,
                        limits.maxRadius),
            kKey};
  return {fmt::format("it reaches {:.0f} px, allowed {:.0f} px", seen.extent,
                      gpu::largestExtent(limits)),
          kKey};
}

Explanation ridge(const shared::Detection& seen, const Settings::Detect& limits) {
  const double most = gpu::ridgeLimit(limits.maxEccentricity);
  return {seen.elongation >= gpu::kEndless
              ? fmt::format("without an end, allowed elongation {:.2g}", most)
              : fmt::format("elongation {:.3g}, allowed {:.2g}", seen.elongation, most),
          "detect.max_eccentricity"_key};
}

Explanation faint(const gpu::Rejected& rejected, const Settings::Detect& limits) {
  constexpr std::string_view kKey = "detect.min_significance"_key;
  if (!rejected.measured || rejected.seen.radius <= 0)
    return {"nothing there stands out of the noise", kKey};
  return {fmt::format("significance {:.1f}, needed {:g}", gpu::significanceOf(rejected.seen),
                      limits.minSignificance),
          kKey};
}

std::string_view keyOfMask(const Settings::Detect& limits) {
  if (!limits.mask.empty()) return "detect.mask"_key;
  return limits.region.empty() ? "detect.ignore"_key : "detect.region"_key;
}

Explanation tooNear(const gpu::Rejected& rejected, const Settings::Detect& limits,
                    std::span<const shared::Detection> markers) {
  constexpr std::string_view kKey = "detect.separation"_key;
  const uint32_t rank = rejected.nearestRank;
  if (rank == 0 || rank > markers.size())
    return {fmt::format("to a brighter candidate, needed {:g} px", limits.separation), kKey};
  const shared::Detection& best = markers[rank - 1];
  const shared::Detection& seen = rejected.seen;
  const double x = rejected.measured ? double{seen.x} : double(seen.peakX);
  const double y = rejected.measured ? double{seen.y} : double(seen.peakY);
  const double away = std::hypot(x - double{best.x}, y - double{best.y});
  if (away >= limits.separation)
    return {fmt::format("part of a marker of radius {:.1f} px, {:.1f} px away", best.radius, away),
            kKey};
  return {fmt::format("{:.1f} px to a better marker, needed {:g} px", away, limits.separation),
          kKey};
}

/// Without the words of the reason.
Explanation detailsOf(const gpu::Rejected& rejected, const Settings& settings,
                      std::span<const shared::Detection> markers) {
  const Settings::Detect& limits = settings.detect;
  const shared::Detection& seen = rejected.seen;
  switch (rejected.reason) {
    case gpu::Rejection::tooSmall:
      return tooSmall(seen, limits);
    case gpu::Rejection::tooLarge:
      return tooLarge(seen, limits);
    case gpu::Rejection::notRound:
      return {fmt::format("eccentricity {:.2f}, allowed {:g}", seen.eccentricity,
                          limits.maxEccentricity),
              "detect.max_eccentricity"_key};
    case gpu::Rejection::ridge:
      return ridge(seen, limits);
    case gpu::Rejection::faint:
      return faint(rejected, limits);
    case gpu::Rejection::masked:
      return {"this place is not measured", keyOfMask(limits)};
    case gpu::Rejection::tooNear:
      return tooNear(rejected, limits, markers);
    case gpu::Rejection::beyondMost:
      return {
          fmt::format("{} better ones are there, allowed {}", markers.size(), limits.maxMarkers),
          "detect.max_markers"_key};
    case gpu::Rejection::lowScore:
      return {fmt::format("score {:.2f}, needed {:g}", rejected.score, limits.minScore),
              "detect.min_score"_key};
    case gpu::Rejection::ambiguous:
      return {fmt::format("score {:.2f}, needed {:g} times that of the best one left out",
                          rejected.score, limits.scoreRatio),
              "detect.score_ratio"_key};
  }
  return {};
}

}  // namespace

std::string_view wordsOf(gpu::Rejection reason) {
  constexpr std::array kWords{"too small",
                              "too large",
                              "too long",
                              "a line or an edge",
                              "too faint",
                              "masked",
                              "too near",
                              "beyond the number allowed",
                              "too unlike the picture",
                              "ambiguous"};
  return kWords[static_cast<size_t>(reason)];
}

Explanation explain(const gpu::Rejected& rejected, const Settings& settings,
                    std::span<const shared::Detection> markers) {
  Explanation all = detailsOf(rejected, settings, markers);
  all.words = fmt::format("{}: {}", wordsOf(rejected.reason), all.words);
  return all;
}

}  // namespace glint::motion
