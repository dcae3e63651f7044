// Makes random numbers that depend only on a key and a counter, never on the order of the calls.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <span>

namespace glint::capture {

/// Mixes bits by the finaliser of splitmix64 (Steele, Lea and Flood 2014): a bijection whose
/// results look random.
constexpr uint64_t mixBits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

/// Returns a random key made of a list of numbers; the order of the list matters.
uint64_t hashKey(std::initializer_list<uint64_t> parts);

/// Returns number `counter` of the stream `key`, uniform in [0, 1).
double uniformAt(uint64_t key, uint64_t counter);

/// Fills `out` with standard normal numbers of the stream `key`; none is beyond 5.3.
void fillNormals(uint64_t key, std::span<float> out);

constexpr double kTurn = 2 * std::numbers::pi;  // radians of a full turn

/// Returns the value at `time`, s, of a function that wanders smoothly within [-1, 1]: the mean of
/// a few slow swings, which `key` chooses.
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
