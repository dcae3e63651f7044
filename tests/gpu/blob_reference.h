// The definition of blobs in docs/detection.md once more, as plainly as possible.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/gpu/reference.h"

namespace glint::reference {

struct Blob {
  uint32_t first = 0;  ///< raster index of the first pixel
  uint32_t left = 0, right = 0, top = 0, bottom = 0;
  Peak peak;
  uint64_t area = 0, mass = 0, massX = 0, massY = 0;
  uint64_t x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  uint32_t centreX = 0, centreY = 0;
  bool operator==(const Blob&) const = default;

  double eccentricity() const;
};

struct Blobs {
  std::vector<Blob> all;         ///< in order of their first pixel
  std::vector<uint32_t> labels;  ///< of every pixel: 0 is background, i + 1 is all[i]
};

/// 8-connected components of the pixels that count and are at or above `threshold`.
Blobs blobs(const Image& response, uint32_t threshold);

/// The highest masses first, ties to the first pixel that is first, each at least `separation` from
/// all accepted ones, at most `maxMarkers`.
std::vector<Blob> rank(std::vector<Blob> all, double separation, size_t maxMarkers);

}  // namespace glint::reference
