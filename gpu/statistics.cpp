#include "gpu/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "gpu/ground_level.h"
#include "gpu/samples.h"

namespace glint::gpu {
namespace {

__extension__ typedef unsigned __int128 Wide;  // n * squares and sum^2 reach 2^115

GroundLevel levelIn(const Ground& ground) {
  return levelOf(ground.used, ground.sum, ground.squares);
}

/// Changes the background so that it consists of all values of `sorted` up to `limit`.
void moveTo(Ground& ground, const std::vector<uint32_t>& sorted, uint32_t limit) {
  for (; ground.used < sorted.size() && sorted[ground.used] <= limit; ++ground.used) {
    const uint64_t value = sorted[ground.used];
    ground.sum += value;
    ground.squares += value * value;
  }
  for (; ground.used > 0 && sorted[ground.used - 1] > limit; --ground.used) {
    const uint64_t value = sorted[ground.used - 1];
    ground.sum -= value;
    ground.squares -= value * value;
  }
}

/// Returns true if the standard deviation is at least that of a plane in which this share of the
/// pixels is at the maximum.
bool isSpread(const shared::PlaneStatistics& s, uint64_t pixels, double share) {
  if (pixels == 0) return false;
  const double own = variance(s, pixels), above = s.most - mean(s, pixels);
  return own >= share * (own + above * above);
}

/// Returns the level if the background is dark and large areas are bright, otherwise nothing.
std::optional<Level> levelBesideLamps(const Ground& ground, double k, uint32_t most, uint32_t usual,
                                      const GroundOptions& options) {
  if (ground.used == 0 || ground.bright < options.minBrightShare * ground.all) return std::nullopt;
  const GroundLevel own = levelIn(ground);
  const double dark = own.mean, level = std::ceil(own.threshold(k, most, options.minHeight));
  if (dark > options.maxDark * most || level > dark + options.maxDark * (most - dark) ||
      level >= usual)
    return std::nullopt;
  return Level{static_cast<uint32_t>(std::max(level, 1.0)),
               std::max(1U, static_cast<uint32_t>((level - dark) / 2))};
}

}  // namespace

double mean(const shared::PlaneStatistics& s, uint64_t pixels) {
  return static_cast<double>(joinWords(s.sumLow, s.sumHigh)) / static_cast<double>(pixels);
}

double variance(const shared::PlaneStatistics& s, uint64_t pixels) {
  const Wide sum = joinWords(s.sumLow, s.sumHigh);
  const Wide squares = joinWords(s.squaresLow, s.squaresHigh);
  const double n = static_cast<double>(pixels);
  return static_cast<double>(squares * pixels - sum * sum) / n / n;
}

uint32_t automaticThreshold(const shared::PlaneStatistics& s, uint64_t pixels, double k,
                            uint32_t fullScale) {
  if (pixels == 0) return fullScale;
  const double level = std::ceil(mean(s, pixels) + k * std::sqrt(variance(s, pixels)));
  return static_cast<uint32_t>(std::clamp(level, 1.0, static_cast<double>(fullScale)));
}

bool isWide(const shared::PlaneStatistics& s, uint64_t pixels, const GroundOptions& options) {
  return isSpread(s, pixels, options.wideShare);
}

bool mayBeCrowded(const shared::PlaneStatistics& s, uint64_t pixels, const GroundOptions& options) {
  return isSpread(s, pixels, options.crowdedShare);
}

Ground groundOf(std::span<const uint32_t> values, uint32_t most, const GroundOptions& options) {
  const std::vector<uint32_t> sorted = sortedSamples(values);
  if (sorted.size() < options.minSamples) return {};
  const uint32_t middle = sorted[sorted.size() / 2];
  uint32_t limit = middle;
  Ground ground;
  ground.all = static_cast<uint32_t>(sorted.size());
  for (int i = 0; i < options.maxRounds; ++i) {
    const uint32_t before = ground.used;
    moveTo(ground, sorted, limit);
    if (ground.used == before) break;
    const GroundLevel own = levelIn(ground);
    const double highest = own.mean + options.clipSigmas * own.deviation + 1;
    limit = std::max(middle, static_cast<uint32_t>(std::min(highest, 65535.0)));
  }
  const auto bright =
      std::lower_bound(sorted.begin(), sorted.end(),
                       levelIn(ground).threshold(options.brightSigmas, most, options.minHeight));
  ground.bright = static_cast<uint32_t>(sorted.end() - bright);
  return ground;
}

Level automaticLevel(const shared::PlaneStatistics& s, uint64_t pixels, const Ground& ground,
                     double k, uint32_t fullScale, const GroundOptions& options) {
  const uint32_t usual = automaticThreshold(s, pixels, k, fullScale);
  if (const auto level = levelBesideLamps(ground, k, s.most, usual, options)) return *level;
  const double level = std::ceil(crowdedLevel(ground.crowd, k, usual));
  return {static_cast<uint32_t>(std::max(level, 1.0)), 0};
}

uint32_t fixedThreshold(double fraction, uint32_t fullScale) {
  return static_cast<uint32_t>(std::ceil(fraction * fullScale));
}

}  // namespace glint::gpu
