#include "app/space/noise_floor.h"

#include <algorithm>

namespace glint {

void NoiseFloor::add(size_t camera, double residual, double expected, double known) {
  Camera& c = cameras_[camera];
  ++c.count;
  c.ratios.push_back(residual * residual / expected);
  c.expected += expected;
  c.known += known;
}

void NoiseFloor::learn() {
  constexpr size_t kRound = 200;       // coordinates
  constexpr double kLeastGain = 0.05;  // of a round's mean: some thousands of residuals
  for (Camera& c : cameras_) {
    if (c.count < kRound || !(c.expected > 0)) continue;
    const double known = c.known / static_cast<double>(c.count);
    // Markers that touch or hide lie far out; nine tenths of the residuals say what the noise is.
    constexpr double kShare = 0.9, kChi2 = 2.7055;  // of one degree of freedom
    const auto at = c.ratios.begin() + static_cast<std::ptrdiff_t>(
                                           kShare * static_cast<double>(c.ratios.size()));
    std::nth_element(c.ratios.begin(), at, c.ratios.end());
    const double now = (known + c.variance) * *at / kChi2 - known;
    c.raw += std::max(kLeastGain, 1.0 / ++c.rounds) * (now - c.raw);
    c.variance = std::max(0.0, c.raw);
    c.count = 0;
    c.expected = c.known = 0;
    c.ratios.clear();
  }
}

}  // namespace glint
