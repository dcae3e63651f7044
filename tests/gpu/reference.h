// The definitions of docs/detection.md once more, as plainly as possible and with no regard to
// speed. Written from the definitions, not from the kernels: what the kernels are compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/frame.h"
#include "shared/results.h"

namespace glint::reference {

/// One layer of one-channel pixels.
struct Image {
  gpu::ImageFormat format;
  std::vector<uint16_t> values;    ///< raster order, channels interleaved
  std::vector<uint8_t> mask = {};  ///< 0: the pixel is ignored; empty: none is

  uint16_t at(int64_t x, int64_t y) const {
    return values[static_cast<size_t>(y) * format.width + static_cast<size_t>(x)];
  }
  bool counts(size_t index) const { return mask.empty() || mask[index] != 0; }
};

struct Statistics {
  uint64_t sum = 0, squares = 0;
  uint32_t least = 0, leastIndex = 0, most = 0, mostIndex = 0;
  bool operator==(const Statistics&) const = default;
};

/// Those of a kernel.
inline Statistics statisticsOf(const shared::PlaneStatistics& s) {
  return {uint64_t{s.sumHigh} << 32 | s.sumLow,
          uint64_t{s.squaresHigh} << 32 | s.squaresLow,
          s.least,
          s.leastIndex,
          s.most,
          s.mostIndex};
}

struct Peak {
  uint32_t x = 0, y = 0, value = 0;
  bool operator==(const Peak&) const = default;
};

Image luminance(const Image& color);
Image inverted(const Image& grey);
Image blurred(const Image& grey, double radius);
Image differenceOfGaussians(const Image& grey, double radius, uint64_t gain);

/// Of the pixels that count, of which there must be one.
Statistics statistics(const Image& grey);

/// Pixels that count, at or above `threshold` and not below any of their neighbours (masked ones
/// included), in raster order. If there is a `prominence`, without those inside of something
/// large: along one of four axes all pixels 7, 15 and 24 steps away, to both sides, are below it by
/// no more than that and a quarter of what it is above the threshold.
std::vector<Peak> candidates(const Image& response, uint32_t threshold, uint32_t prominence = 0);

/// Pixels of the finest square grid that has `most` at most, row by row; ~0: does not count.
std::vector<uint32_t> samples(const Image& grey, uint32_t most);

/// The ground below crowded markers, from such samples (`columns` a row, `step` px apart).
struct Crowd {
  uint32_t all = 0, bright = 0;
  double level = 0, noise = 0, height = 0, lumps = 0;
};
Crowd crowd(const std::vector<uint32_t>& samples, size_t columns, uint32_t step);

/// The sequential rule: highest first, ties to the lowest raster index, each at least `separation`
/// from all accepted ones, at most `maxMarkers`.
std::vector<Peak> peaks(const Image& response, uint32_t threshold, double separation,
                        size_t maxMarkers, uint32_t prominence = 0);

}  // namespace glint::reference
