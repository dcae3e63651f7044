#include "gpu/detect/peak_parts.h"

#include <algorithm>
#include <utility>

#include "gpu/detect/limits.h"

namespace glint {
namespace {

constexpr uint32_t kLeastPart = 32;

}  // namespace

PeakParts::PeakParts(const Settings& settings, std::vector<uint32_t> counts)
    : settings_(settings),
      wanted_(static_cast<uint32_t>(settings.detect.maxMarkers)),
      counts_(std::move(counts)) {
  for (const uint32_t count : counts_) ends_.push_back(std::min(count, wanted_));
}

bool PeakParts::goOn(size_t layer, std::span<const shared::Detection> found) {
  uint32_t& end = ends_[layer];
  if (end == counts_[layer]) return false;
  if (applyLimits(found, settings_, peaksToMeasure(settings_)).markers.size() >= wanted_)
    return false;
  // Parts of 1, 2, 4 ... times the first: as much as before and one more.
  end = std::min(2 * end - wanted_ + std::max(wanted_ / 4, kLeastPart), counts_[layer]);
  return true;
}

}  // namespace glint
