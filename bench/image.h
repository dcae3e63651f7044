// Frames with a known number of markers, made fast enough for 8K.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/frame.h"

namespace glint::bench {

/// Pixels without padding, and where the markers are.
struct Image {
  struct Marker {
    double x, y;  ///< px
  };
  gpu::ImageFormat format;
  std::vector<std::byte> pixels;  ///< rows of width * bytesPerPixel() bytes
  std::vector<Marker> markers;    ///< in order of rows

  const std::byte* row(uint32_t y) const {
    return pixels.data() + size_t{y} * format.width * format.bytesPerPixel();
  }
};

/// White Gaussian markers of sigma 1.5 px, 75 % of full scale high, at random places of a grid, at
/// least 14 px from each other; background 10 and read noise of sigma 2 (of 255; in every channel
/// its own). The same on every machine. Throws UsageError when so many markers have no room.
Image makeImage(const gpu::ImageFormat& format, uint32_t markers);

}  // namespace glint::bench
