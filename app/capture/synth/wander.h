// How something that is held in a hand moves.
#pragma once

#include <cmath>
#include <numbers>

#include "app/capture/synth/random.h"

namespace glint::capture {

constexpr double kTurn = 2 * std::numbers::pi;  // radians

/// Wanders smoothly within [-1, 1]: the mean of a few slow swings, which `key` picks. `time` in s.
inline double wander(uint64_t key, double time) {
  constexpr double kSlowest = 0.15, kFastest = 0.5;  // 1/s
  constexpr uint64_t kSwings = 3;
  double sum = 0;
  for (uint64_t i = 0; i < kSwings; ++i) {
    const double rate = kSlowest + (kFastest - kSlowest) * uniformAt(key, 2 * i);
    sum += std::sin(kTurn * (rate * time + uniformAt(key, 2 * i + 1)));
  }
  return sum / kSwings;
}

}  // namespace glint::capture
