#include "gpu/crowd.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "gpu/samples.h"
#include "shared/limits.h"

namespace glint::gpu {
namespace {

/// Returns the number of samples along a side, of which the first one is at step / 2.
uint64_t samplesAlong(uint32_t side, uint32_t step) {
  return (side - step / 2 + step - 1) / step;
}

// The level of the background is measured in units of 1 / kLevelParts counts.
constexpr int64_t kLevelParts = 256;

/// Returns 0 up to `from`, 1 from `to` on, and a linear transition in between.
double rampOf(double value, double from, double to) {
  return std::clamp((value - from) / (to - from), 0.0, 1.0);
}

/// Returns the level of the background in units of 1 / kLevelParts counts.
int64_t groundLevel(const std::vector<uint32_t>& sorted, size_t groundPart) {
  const size_t part = (sorted.size() + groundPart - 1) / groundPart;
  const auto rangeAt = [&](size_t i) { return sorted[i + part - 1] - sorted[i]; };
  size_t best = 0;
  for (size_t i = 1; i + part <= sorted.size(); ++i)
    if (rangeAt(i) < rangeAt(best)) best = i;
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), sorted[best]);
  const auto last = std::upper_bound(first, sorted.end(), sorted[best + part - 1]);
  int64_t sum = 0;
  for (auto value = first; value != last; ++value) sum += *value;
  return kLevelParts * sum / (last - first);
}

/// Returns the noise of the background, from the samples at or below its level.
double groundNoise(const std::vector<uint32_t>& sorted, int64_t level) {
  uint64_t squares = 0, count = 0;  // no overflow: up to 2^11 numbers below 2^24
  for (const uint32_t value : sorted) {
    const int64_t below = level - kLevelParts * value;
    if (below < 0) break;
    squares += static_cast<uint64_t>(below * below);
    ++count;
  }
  const double mean = static_cast<double>(squares) / static_cast<double>(count);
  return std::sqrt(std::max(mean / double{kLevelParts * kLevelParts}, 1.0 / 12));
}

/// Returns Crowd::height, from the last `bright` samples.
double brightHeight(const std::vector<uint32_t>& sorted, size_t bright, uint64_t level) {
  uint64_t squares = 0, cubes = 0;  // no overflow: up to 2^11 numbers below 2^16
  for (size_t i = sorted.size() - bright; i < sorted.size(); ++i) {
    const uint64_t above = sorted[i] - level;
    squares += above * above;
    cubes += above * above * above;
  }
  return static_cast<double>(cubes) / static_cast<double>(squares);
}

/// Two marks for each sample, 1 or 0: `counts` if it counts, and `high` if it also is at least
/// `least`. As numbers, they allow counting pairs without a branch.
struct SampleMarks {
  std::vector<uint8_t> counts, high;

  SampleMarks(std::span<const uint32_t> values, double least)
      : counts(values.size()), high(values.size()) {
    for (size_t i = 0; i < values.size(); ++i) {
      counts[i] = values[i] != kUncounted ? 1 : 0;
      high[i] = counts[i] & (values[i] >= least ? 1 : 0);
    }
  }
};

/// Counts of pairs in which both samples count.
struct SamplePairs {
  uint32_t both = 0;  // pairs in which both samples are high
  uint32_t high = 0;  // samples of pairs that are high

  /// Adds `pairs` pairs. The first has the samples `first` and `first` + `apart`, and so on.
  void add(const SampleMarks& marks, size_t first, size_t pairs, size_t apart) {
    for (size_t a = first, b = first + apart; a < first + pairs; ++a, ++b) {
      both += marks.high[a] & marks.high[b];
      high += (marks.high[a] & marks.counts[b]) + (marks.counts[a] & marks.high[b]);
    }
  }
};

/// Returns the probability that a sample `apart` places from a high one, along x or y, is also
/// high.
double besideOf(const SampleGrid& grid, const SampleMarks& marks, size_t apart) {
  SamplePairs pairs;
  const size_t columns = grid.columns, all = grid.values.size();
  for (size_t row = 0; row < all && apart < columns; row += columns)
    pairs.add(marks, row, columns - apart, apart);
  const size_t down = apart * columns;
  if (down < all) pairs.add(marks, 0, all - down, down);
  return pairs.high == 0 ? 0 : 2.0 * pairs.both / pairs.high;
}

/// Returns Crowd::lumps. `least` is the least value of a high sample.
double lumpsOf(const SampleGrid& grid, double least, const CrowdOptions& options) {
  const SampleMarks marks(grid.values, least);
  const uint32_t first = (options.neighbourDistance + grid.step - 1) / grid.step;
  double chance = 1;
  for (uint32_t i = 0; i < options.neighbourDistances; ++i)
    chance = std::min(chance, besideOf(grid, marks, first + i));
  return chance;
}

}  // namespace

uint32_t sampleStep(uint32_t width, uint32_t height) {
  uint32_t step = 1;
  const auto tooMany = [&] {
    return samplesAlong(width, step) * samplesAlong(height, step) > shared::kMaxSamples;
  };
  while (tooMany()) ++step;
  return step;
}

SampleGrid sampleGrid(uint32_t width, uint32_t height, std::span<const uint32_t> samples) {
  const uint32_t step = sampleStep(width, height);
  const auto columns = static_cast<uint32_t>(samplesAlong(width, step));
  return {samples.first(columns * samplesAlong(height, step)), columns, step};
}

Crowd crowdOf(const SampleGrid& samples, const CrowdOptions& options) {
  const std::vector<uint32_t> sorted = sortedSamples(samples.values);
  if (sorted.size() < options.minSamples) return {};
  const int64_t level = groundLevel(sorted, options.groundPart);
  Crowd crowd;
  crowd.all = static_cast<uint32_t>(sorted.size());
  crowd.level = static_cast<double>(level) / kLevelParts;
  crowd.noise = groundNoise(sorted, level);
  const double least = crowd.level + options.brightSigmas * crowd.noise;
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), least);
  crowd.bright = static_cast<uint32_t>(sorted.end() - first);
  if (crowd.bright == 0) return crowd;
  crowd.height = brightHeight(sorted, crowd.bright, static_cast<uint64_t>(level / kLevelParts));
  crowd.lumps = lumpsOf(samples, crowd.level + crowd.height / 2, options);
  return crowd;
}

double crowdedLevel(const Crowd& crowd, double k, double usual, const CrowdOptions& options) {
  if (crowd.bright == 0 || crowd.lumps >= options.maxLumps) return usual;
  const double own = crowd.level + std::max(k * crowd.noise, options.minHeight * crowd.height);
  const double share =
      rampOf(static_cast<double>(crowd.bright) / crowd.all, options.fewBright, options.manyBright);
  const double missed =
      rampOf((usual - crowd.level) / crowd.height, options.missesSome, options.missesMost);
  return std::min(usual, usual - share * missed * (usual - own));
}

}  // namespace glint::gpu
