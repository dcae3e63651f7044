// Makes frames with a known number of markers, fast enough for 8K.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/frame.h"

namespace glint::bench {

/// Pixels without padding, and the places of the markers.
struct Image {
  struct Marker {
    double x, y;  ///< px
  };
  gpu::ImageFormat format;
  std::vector<std::byte> pixels;  ///< rows of width * bytesPerPixel() bytes
  std::vector<Marker> markers;    ///< row by row of the grid on which they lie

  const std::byte* row(uint32_t y) const {
    return pixels.data() + size_t{y} * format.width * format.bytesPerPixel();
  }
};

/// Returns an image with white Gaussian markers of sigma 1.5 px and of 75 % of full scale, at
/// random places in the cells of a grid, at least 14 px from each other. The background is 10/255
/// of full scale, the read noise has a sigma of 2/255 and differs between channels. The image is
/// the same on every machine. Throws UsageError if there is no room for `markers` markers.
Image makeImage(const gpu::ImageFormat& format, uint32_t markers);

}  // namespace glint::bench
