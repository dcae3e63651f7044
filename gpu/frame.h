// The layout of frames in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "config/numbers.h"

namespace glint::gpu {

/// The pixels of one camera.
struct ImageFormat {
  uint32_t width = 0;     ///< columns, px
  uint32_t height = 0;    ///< rows, px
  uint32_t channels = 1;  ///< 1: grey; 3: colour, interleaved in the order blue, green, red
  uint32_t bits = 8;      ///< per channel: 8 or 16 (host byte order)

  uint32_t bytesPerPixel() const { return channels * bits / 8; }
  uint32_t fullScale() const { return (1U << bits) - 1; }  ///< the largest value of a channel
  size_t pixels() const { return size_t{width} * height; }
  bool operator==(const ImageFormat&) const = default;
};

/// A view of one image in memory, which it does not own.
struct ImageView {
  ImageFormat format;
  std::byte* data = nullptr;  ///< the first row's first pixel
  size_t rowPitch = 0;        ///< bytes from one row to the next, >= width * bytesPerPixel()
  std::byte* grey = nullptr;  ///< room for a neutral frame's grey, or null: see FrameStamp
  size_t greyPitch = 0;       ///< bytes from one row of grey to the next

  std::byte* row(uint32_t y) const { return data + y * rowPitch; }
  std::byte* greyRow(uint32_t y) const { return grey + y * greyPitch; }
};

/// What a set of frames holds for a camera.
enum class CameraState {
  frame,  ///< a frame
  none,   ///< none this time: its next one is still to come
  lost,   ///< none: the camera is gone, and may come back
  ended,  ///< none, and none will come
};

/// What a source reports about a frame that it has delivered.
struct FrameStamp {
  FrameNumber sequence =
      {};               ///< 0, 1, 2 ... in the order of delivery; of recordings: from the start
  double time = 0;      ///< s, the source's own time (presentation time from its first frame)
  double arrival = 0;   ///< s, the host's monotonic clock when it was there; 0 for recordings
  double captured = 0;  ///< s, the same clock when it was taken, as far as known; 0 for recordings
  SourceSequence sourceSequence = {};  ///< the source's own number; 0 where it has none
  uint64_t droppedBefore = 0;  ///< frames of this camera lost or replaced since the one before
  // Of live cameras; 0 where not known.
  uint64_t skippedBefore = 0;  ///< of those: never came whole, by the source's own numbers
  double uncertainty = 0;      ///< s, how far off `time` may be on the host's clock
  double rate = 0;             ///< frames/s that the camera took lately: see FramePace
  double jitter = 0;           ///< s, standard deviation of its frames' intervals lately
  /// Blue, green and red are equal in every pixel, and written to ImageView::grey alone.
  bool neutral = false;
};

/// The frames of all cameras of a session: layers of one buffer, all of one format.
struct FrameFormat {
  ImageFormat image;
  uint32_t layers = 1;  ///< cameras, 1 to kMaxLayers
  bool operator==(const FrameFormat&) const = default;
};

}  // namespace glint::gpu
