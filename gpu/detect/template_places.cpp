#include "gpu/detect/template_places.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gpu/filters/chain.h"

namespace glint::gpu {
namespace {

/// Returns a peak with the position and size of the template's match there. Without a match it
/// stays unmeasured, with a sigma of 1 px. Blobs keep their own size and mass.
shared::Detection placedAt(shared::Detection d, const std::optional<TemplateMatch>& match,
                           bool blob) {
  if (!match) {
    d.sigmaX = d.sigmaY = 1;
    return d;
  }
  d.x = static_cast<float>(match->x);
  d.y = static_cast<float>(match->y);
  d.sigmaX = static_cast<float>(match->sigmaX);
  d.sigmaY = static_cast<float>(match->sigmaY);
  if (match->cut) d.flags |= shared::kFlagBorder;
  if (match->saturated) d.flags |= shared::kFlagSaturated;
  if (blob) return d;
  d.mass = static_cast<float>(match->mass);
  d.radius = static_cast<float>(match->radius);
  d.eccentricity = static_cast<float>(match->eccentricity);
  d.background = static_cast<float>(match->background);
  return d;
}

}  // namespace

std::vector<std::vector<std::optional<TemplateFit>>> placeTemplates(
    FilterChain& chain, std::vector<std::vector<shared::Detection>>& found, bool placed,
    bool blobs) {
  std::vector<std::vector<std::optional<TemplateFit>>> fits(found.size());
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> places(found.size());
  for (size_t i = 0; i < found.size(); ++i)
    for (const shared::Detection& d : found[i]) places[i].emplace_back(d.peakX, d.peakY);
  const auto matches = chain.matchesAt(places, placed);
  for (size_t i = 0; i < found.size(); ++i) {
    std::vector<std::pair<shared::Detection, std::optional<TemplateFit>>> all;
    for (size_t k = 0; k < found[i].size(); ++k) {
      const auto& match = matches[i][k];
      all.emplace_back(placed ? placedAt(found[i][k], match, blobs) : found[i][k],
                       match ? std::optional(match->fit) : std::nullopt);
    }
    const auto score = [](const auto& one) { return one.second ? one.second->score : 0; };
    if (chain.finds())
      std::stable_sort(all.begin(), all.end(),
                       [&](const auto& a, const auto& b) { return score(a) > score(b); });
    found[i].clear();
    for (const auto& [detection, fit] : all) {
      found[i].push_back(detection);
      fits[i].push_back(fit);
    }
  }
  return fits;
}

}  // namespace glint::gpu
