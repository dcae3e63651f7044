#include "gpu/detect/peak_parts.h"

#include <algorithm>
#include <utility>

#include "gpu/detect/limits.h"

namespace glint::gpu {
namespace {

constexpr uint32_t kLeastPart = 32;  // least number of peaks of a further part

// Parts are used if there are more than this many times detect.max_markers peaks. With fewer peaks,
// a separate dispatch for a part would take longer than it saves.
constexpr uint32_t kWorthParts = 2;

}  // namespace

uint32_t PeakParts::firstOf(const Settings& settings) {
  const auto wanted = static_cast<uint32_t>(settings.detect.maxMarkers);
  const uint32_t most = peaksToMeasure(settings);
  return most > kWorthParts * wanted ? wanted : most;
}

PeakParts::PeakParts(const Settings& settings, std::vector<uint32_t> counts)
    : settings_(settings),
      wanted_(static_cast<uint32_t>(settings.detect.maxMarkers)),
      counts_(std::move(counts)) {
  for (const uint32_t count : counts_) ends_.push_back(std::min(count, firstOf(settings)));
}

bool PeakParts::goOn(size_t layer, std::span<const shared::Detection> found) {
  uint32_t& end = ends_[layer];
  if (end == counts_[layer]) return false;
  const size_t markers = applyLimits(found, settings_, peaksToMeasure(settings_)).markers.size();
  if (markers >= wanted_) return false;
  // This number suffices if the share of markers stays the same, and has an eighth in reserve.
  const uint64_t likely = uint64_t{9} * end * wanted_ / (8 * std::max<uint64_t>(markers, 1));
  const uint64_t least = end + std::max(wanted_ / 4, kLeastPart);
  end = static_cast<uint32_t>(std::min<uint64_t>(std::max(likely, least), counts_[layer]));
  return true;
}

}  // namespace glint::gpu
