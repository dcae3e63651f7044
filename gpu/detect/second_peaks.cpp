#include "gpu/detect/second_peaks.h"

#include <algorithm>
#include <cmath>

#include "gpu/detect/limits.h"

namespace glint::gpu {
namespace {

// These must agree with refine.comp, also in precision.
constexpr float kLargeObject = 10.8F;  // px, smallest extent of a large object
// The share of its extent within which an object's other peaks are second ones: of round objects,
// and of others.
constexpr float kSecondOfRound = 0.9F, kSecondOfLong = 0.5F;
// The smallest response of a second peak, as a share of the better one's.
constexpr float kSecondsHeight = 0.4F;

float fromMiddle(const shared::Detection& object, const shared::Detection& peak) {
  const float x = static_cast<float>(peak.peakX) - object.extentX;
  const float y = static_cast<float>(peak.peakY) - object.extentY;
  return std::sqrt(x * x + y * y);
}

/// Returns true if a peak is on a large object and was fitted.
bool isLarge(const shared::Detection& d, const Refinement& refinement) {
  const bool fitted = d.radius > 0 || d.mass != 0;
  return fitted && d.extent > kLargeObject && d.extent <= refinement.largest &&
         d.elongation <= refinement.longest;
}

bool isSecond(const shared::Detection& own, std::span<const shared::Detection> better) {
  const float most = (own.elongation < kRound ? kSecondOfRound : kSecondOfLong) * own.extent;
  const float reach = std::min(most, fromMiddle(own, own));
  return std::ranges::any_of(better, [&](const auto& other) {
    return kSecondsHeight * static_cast<float>(other.peak) <= static_cast<float>(own.peak) &&
           fromMiddle(own, other) < reach;
  });
}

}  // namespace

bool isOnLargeObject(const shared::Detection& peak) {
  return peak.extent > kLargeObject;
}

void leaveOutSeconds(std::span<shared::Detection> found, const Refinement& refinement) {
  for (size_t i = 0; i < found.size(); ++i) {
    shared::Detection& d = found[i];
    if (!isLarge(d, refinement) || !isSecond(d, found.first(i))) continue;
    d.x = static_cast<float>(d.peakX);
    d.y = static_cast<float>(d.peakY);
    d.mass = d.radius = d.eccentricity = 0;
    d.flags |= shared::kFlagSecond;
  }
}

}  // namespace glint::gpu
