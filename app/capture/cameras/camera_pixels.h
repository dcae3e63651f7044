// Describes the pixel formats of cameras. Internal to capture/.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace glint::capture {

/// A pixel format: the layout of pixels in memory.
struct CameraPixels {
  enum class Layout {
    grey8,         ///< luma of 8 bits every `step` bytes, the first one at byte `offset`
    grey16,        ///< 9 to 16 bits in the low bits of 16, little endian
    grey10Packed,  ///< 4 pixels in 5 bytes, their low bits in the last byte (MIPI RAW10)
    greyPacked,    ///< 2 pixels in 3 bytes, the low bits of both in the second (GigE Vision)
    greyBits,      ///< pixels without gaps between their bits, the low bits first (PFNC "p")
    bayer8,
    bayer16,  ///< bits as in grey16
    jpeg,
  };
  uint32_t fourcc = 0;
  Layout layout = Layout::grey8;
  uint32_t bits = 8;
  uint32_t step = 1, offset = 0;
  bool yuv = false;       ///< true if its luma may have the limited range, 16 to 235
  uint32_t linesOf2 = 2;  ///< lines of memory for two lines of the image: 2, more if colour follows
};

/// Returns the formats that can be read, the ones that take the least work first.
std::span<const CameraPixels> knownCameraPixels();
/// Returns the format of this code; null if it cannot be read.
const CameraPixels* findCameraPixels(uint32_t fourcc);

/// Returns the four letters of a code, such as "YUYV", without spaces at the end.
std::string fourccName(uint32_t fourcc);

}  // namespace glint::capture
