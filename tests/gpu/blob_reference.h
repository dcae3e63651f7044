// The definition of blobs in docs/detection.md, implemented a second time as plainly as possible.
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
  std::vector<Blob> all;         ///< all blobs, in the order of their first pixel
  std::vector<uint32_t> labels;  ///< the label of every pixel: 0 is background, i + 1 is all[i]
};

/// Returns the 8-connected components of the pixels that count and are at or above `threshold`.
Blobs blobs(const Image& response, uint32_t threshold);

/// Returns the blobs that are accepted: the highest masses first, then those whose first pixel
/// comes first. Each is at least `separation` px from all accepted ones, and there are at most
/// `maxMarkers`.
std::vector<Blob> rank(std::vector<Blob> all, double separation, size_t maxMarkers);

}  // namespace glint::reference
