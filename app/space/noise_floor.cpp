#include "app/space/noise_floor.h"

#include <algorithm>

namespace glint {

void NoiseFloor::add(size_t camera, double residual, double expected, double known) {
  Camera& c = cameras_[camera];
  ++c.count;
  c.squares += residual * residual;
  c.expected += expected;
  c.known += known;
}

void NoiseFloor::learn() {
  constexpr size_t kRound = 200;       // coordinates
  constexpr double kLeastGain = 0.05;  // of a round's mean: some thousands of residuals
  for (Camera& c : cameras_) {
    if (c.count < kRound || !(c.expected > 0)) continue;
    const double known = c.known / static_cast<double>(c.count);
    const double now = (known + c.variance) * c.squares / c.expected - known;
    c.raw += std::max(kLeastGain, 1.0 / ++c.rounds) * (now - c.raw);
    c.variance = std::max(0.0, c.raw);
    c.count = 0;
    c.squares = c.expected = c.known = 0;
  }
}

}  // namespace glint
