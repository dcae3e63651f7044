// Pixels as cameras send them. Internal to capture/.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace glint::capture {

/// How pixels lie in memory.
struct CameraPixels {
  enum class Layout {
    grey8,         ///< luma of 8 bits every `step` bytes, the first at `offset`
    grey16,        ///< of 9 to 16 bits in the low ones of 16, little endian
    grey10Packed,  ///< 4 pixels in 5 bytes, the low bits in the last (MIPI RAW10)
    greyPacked,    ///< 2 pixels in 3 bytes, the low bits of both in the second (GigE Vision)
    greyBits,      ///< one after another, the low bits first (PFNC "p")
    bayer8,
    bayer16,  ///< as grey16
    jpeg,
  };
  uint32_t fourcc = 0;
  Layout layout = Layout::grey8;
  uint32_t bits = 8;
  uint32_t step = 1, offset = 0;
  bool yuv = false;       ///< its luma may have the limited range, 16 to 235
  uint32_t linesOf2 = 2;  ///< lines of memory for two of the image: more with planes of colour
};

/// Those that can be read, the cheapest first.
std::span<const CameraPixels> knownCameraPixels();
/// Null for what cannot be read.
const CameraPixels* findCameraPixels(uint32_t fourcc);

/// "YUYV"; without spaces at the end.
std::string fourccName(uint32_t fourcc);

}  // namespace glint::capture
