#include "app/capture/synth/random.h"

#include <array>
#include <cmath>
#include <numbers>

namespace glint::capture {
namespace {

constexpr uint64_t kGolden = 0x9E3779B97F4A7C15U;
constexpr size_t kTableSize = 4096;
constexpr uint64_t kTableMask = kTableSize - 1;

using NormalTable = std::array<float, kTableSize>;

// Returns the x at which the normal distribution function is p, 0.5 < p < 1, by Newton's method
// from a start below it. The function is concave there, so the steps never overshoot.
double normalQuantile(double p, double start) {
  double x = start;
  for (int i = 0; i < 10; ++i) {
    const double distribution = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    x += (p - distribution) / density;
  }
  return x;
}

// Returns normal quantiles of equal probability and variance 1/2. The sum of two independent picks
// has variance 1, fine steps and tails to 5 sigma, though the table is small enough for the first
// cache.
NormalTable makeNormalTable() {
  constexpr size_t half = kTableSize / 2;
  std::array<double, half> positive{};
  double squares = 0, x = 0;
  for (size_t i = 0; i < half; ++i) {
    x = normalQuantile(0.5 + (static_cast<double>(i) + 0.5) / kTableSize, x);
    positive[i] = x;
    squares += x * x;
  }
  const double scale = std::sqrt(0.5 * half / squares);
  NormalTable table{};
  for (size_t i = 0; i < half; ++i) {
    table[half + i] = static_cast<float>(scale * positive[i]);
    table[half - 1 - i] = -table[half + i];
  }
  return table;
}

}  // namespace

uint64_t hashKey(std::initializer_list<uint64_t> parts) {
  uint64_t key = kGolden;
  for (const uint64_t part : parts) key = mixBits((key ^ part) + kGolden);
  return key;
}

double uniformAt(uint64_t key, uint64_t counter) {
  return static_cast<double>(mixBits(key + counter * kGolden) >> 11) * 0x1p-53;
}

void fillNormals(uint64_t key, std::span<float> out) {
  static const NormalTable table = makeNormalTable();
  const size_t pairs = out.size() / 2;
  uint64_t counter = key;
  const auto next = [&counter] { return mixBits(counter += kGolden); };
  for (size_t i = 0; i < pairs; ++i) {
    const uint64_t bits = next();
    out[2 * i] = table[bits & kTableMask] + table[(bits >> 12) & kTableMask];
    out[2 * i + 1] = table[(bits >> 24) & kTableMask] + table[(bits >> 36) & kTableMask];
  }
  if (out.size() % 2 != 0) {
    const uint64_t bits = next();
    out.back() = table[bits & kTableMask] + table[(bits >> 12) & kTableMask];
  }
}

}  // namespace glint::capture
