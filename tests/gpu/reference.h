// The definitions of docs/detection.md, implemented a second time as plainly as possible and
// without regard to speed. They are written from the definitions and not from the kernels, which
// are compared with them.
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

/// Returns the statistics that a kernel has written.
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

/// Returns the statistics of the pixels that count, of which there must be at least one.
Statistics statistics(const Image& grey);

/// Returns the candidates in raster order: pixels that count, are at or above `threshold`, and are
/// not below any of their neighbours (masked ones included). With a `prominence`, leaves out
/// candidates inside of something large. These have an axis, one of four, along which all pixels 7,
/// 15 and 24 steps away, to both sides, are lower by no more than `prominence` and a quarter of the
/// candidate's height above the threshold.
std::vector<Peak> candidates(const Image& response, uint32_t threshold, uint32_t prominence = 0);

/// Returns the pixels of the finest square grid that has at most `most` pixels, row by row. ~0
/// marks a pixel that does not count.
std::vector<uint32_t> samples(const Image& grey, uint32_t most);

/// The ground below crowded markers, found from such samples (`columns` in a row, `step` px apart).
struct Crowd {
  uint32_t all = 0, bright = 0;
  double level = 0, noise = 0, height = 0, lumps = 0;
};
Crowd crowd(const std::vector<uint32_t>& samples, size_t columns, uint32_t step);

/// Returns the accepted peaks by the sequential rule: the highest first, then those with the lowest
/// raster index. Each is at least `separation` px from all accepted ones, and there are at most
/// `maxMarkers`.
std::vector<Peak> peaks(const Image& response, uint32_t threshold, double separation,
                        size_t maxMarkers, uint32_t prominence = 0);

}  // namespace glint::reference
