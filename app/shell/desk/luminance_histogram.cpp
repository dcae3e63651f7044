#include "app/shell/desk/luminance_histogram.h"

#include <algorithm>
#include <cmath>

namespace glint::shell {
namespace {

// Returns the luminance of a colour, by the formula of shaders/luminance.comp.
uint32_t weigh(uint32_t blue, uint32_t green, uint32_t red) {
  return (19 * blue + 183 * green + 54 * red + 128) >> 8;
}

/// Number of tables in which pixels are counted in turn. With a single table, neighbouring pixels
/// of the same value would wait for each other.
constexpr size_t kTables = 4;

template <class Value, uint32_t Channels>
void count(const gpu::ImageView& image, uint32_t step, LuminanceHistogram& histogram) {
  std::vector<uint32_t> tables(histogram.counts.size() * kTables);
  const size_t size = histogram.counts.size();
  size_t table = 0;
  for (uint32_t y = 0; y < image.format.height; y += step) {
    const auto* row = reinterpret_cast<const Value*>(image.row(y));
    for (uint32_t x = 0; x < image.format.width; x += step) {
      const Value* pixel = row + size_t{x} * Channels;
      uint32_t value = *pixel;
      if constexpr (Channels == 3) value = weigh(pixel[0], pixel[1], pixel[2]);
      ++tables[table * size + value];
      table = (table + 1) % kTables;
    }
  }
  for (size_t i = 0; i < tables.size(); ++i) histogram.counts[i % size] += tables[i];
  for (const uint32_t one : histogram.counts) histogram.pixels += one;
}

}  // namespace

LuminanceHistogram luminanceHistogram(const gpu::ImageView& image, uint32_t step) {
  LuminanceHistogram histogram;
  histogram.counts.resize(size_t{1} << image.format.bits);
  step = std::max(step, 1U);
  const bool color = image.format.channels == 3;
  if (image.format.bits == 8)
    color ? count<uint8_t, 3>(image, step, histogram) : count<uint8_t, 1>(image, step, histogram);
  else
    color ? count<uint16_t, 3>(image, step, histogram) : count<uint16_t, 1>(image, step, histogram);
  return histogram;
}

uint32_t LuminanceHistogram::percentile(double share) const {
  if (pixels == 0) return 0;
  const auto wanted =
      static_cast<uint64_t>(std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(pixels)));
  uint64_t sum = 0;
  for (size_t value = 0; value < counts.size(); ++value) {
    sum += counts[value];
    if (sum > 0 && sum >= wanted) return static_cast<uint32_t>(value);
  }
  return fullScale();
}

std::vector<uint64_t> LuminanceHistogram::binned(size_t bins) const {
  std::vector<uint64_t> sums(bins);
  const size_t width = std::max<size_t>(counts.size() / std::max<size_t>(bins, 1), 1);
  for (size_t value = 0; value < counts.size() && value / width < bins; ++value)
    sums[value / width] += counts[value];
  return sums;
}

DisplayRange fittedRange(const LuminanceHistogram& histogram, double darkest, double brightest,
                         double least) {
  const double full = histogram.fullScale();
  DisplayRange range{static_cast<double>(histogram.percentile(darkest)),
                     static_cast<double>(histogram.percentile(1 - brightest))};
  const double lacking = std::max(least * full, 1.0) - (range.white - range.black);
  if (lacking <= 0) return range;
  range.black = std::clamp(range.black - lacking / 2, 0.0, full - std::max(least * full, 1.0));
  range.white = range.black + std::max(least * full, 1.0);
  return range;
}

}  // namespace glint::shell
