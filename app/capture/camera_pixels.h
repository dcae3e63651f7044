// Pixels as cameras send them, made grey images, or colour ones. Internal to capture/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/frame.h"

namespace glint {

class ColourConverter;

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
/// Whether they can be delivered in colour, too.
bool hasColour(const CameraPixels& pixels);
/// Null for what cannot be read.
const CameraPixels* findCameraPixels(uint32_t fourcc);

/// "YUYV"; without spaces at the end.
std::string fourccName(uint32_t fourcc);

/// Makes frames of one camera grey, of 8 or 16 bits. Values span the full scale as those of
/// FrameConverter do. Of Bayer patterns each pixel is (R + 2 G + B) / 4 of its 3 x 3 neighbours
/// with weights 1 2 1 by 1 2 1: the same mix everywhere, and nothing is shifted. If asked for,
/// colour is delivered as blue, green and red: see ColourConverter.
class CameraConverter {
 public:
  /// `pitch`: bytes from one row to the next. `limited`: luma lies from 16 to 235. `colour`: where
  /// the pixels have it.
  CameraConverter(const CameraPixels& pixels, uint32_t width, uint32_t height, uint32_t pitch,
                  bool limited, bool colour = false);
  ~CameraConverter();

  const ImageFormat& format() const { return format_; }

  /// False where the frame is damaged: too short, or no whole JPEG of this size.
  bool convert(std::span<const std::byte> frame, const ImageView& image);

 private:
  bool isWhole(size_t bytes) const;
  void convertRow(const std::byte* from, std::byte* to) const;
  template <class T>
  void convertBayer(std::span<const std::byte> frame, const ImageView& image) const;

  CameraPixels pixels_;
  ImageFormat format_;
  size_t pitch_;
  std::vector<uint16_t> levels_;  ///< delivered value of each stored value; empty: the same
  std::unique_ptr<ColourConverter> colour_;  ///< null: grey
};

}  // namespace glint
