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

/// A view of one image. It does not own the memory.
struct ImageView {
  ImageFormat format;
  std::byte* data = nullptr;  ///< first pixel of the first row
  size_t rowPitch = 0;        ///< bytes from one row to the next, at least width * bytesPerPixel()
  std::byte* grey = nullptr;  ///< room for the grey of neutral frames (see FrameStamp), or null
  size_t greyPitch = 0;       ///< bytes from one row of grey to the next

  std::byte* row(uint32_t y) const { return data + y * rowPitch; }
  std::byte* greyRow(uint32_t y) const { return grey + y * greyPitch; }
};

/// The state of a camera in a set of frames.
enum class CameraState {
  frame,  ///< the set has a frame of the camera
  none,   ///< the set has no frame, but the camera will deliver more
  lost,   ///< the camera is disconnected, but may come back
  ended,  ///< the camera will not deliver any more frames
};

/// The data that a source reports about a frame that it has delivered.
struct FrameStamp {
  /// The number of the frame: 0, 1, 2 ... in the order of delivery, or from the start of a
  /// recording.
  FrameNumber sequence = {};
  double time = 0;      ///< s, the source's own time (presentation time from its first frame)
  double arrival = 0;   ///< s, arrival on the host's monotonic clock; 0 for recordings
  double captured = 0;  ///< s, capture on the same clock, if known; 0 for recordings
  SourceSequence sourceSequence = {};  ///< the number that the source itself gives; 0 if none
  uint64_t droppedBefore = 0;  ///< frames of this camera lost or replaced since the previous one
  // The next four are for live cameras, and 0 if not known.
  uint64_t skippedBefore = 0;  ///< those of them that never arrived whole, by the source's numbers
  double uncertainty = 0;      ///< s, possible error of `time` on the host's clock
  double rate = 0;             ///< frames/s of the camera in the recent past (see FramePace)
  double jitter = 0;           ///< s, standard deviation of the recent intervals between frames
  /// True if blue, green and red are equal in every pixel. Only ImageView::grey is written then.
  bool neutral = false;
};

/// The format of the frames of all cameras of a session, which are layers of one buffer.
struct FrameFormat {
  ImageFormat image;
  uint32_t layers = 1;  ///< cameras, 1 to kMaxLayers
  bool operator==(const FrameFormat&) const = default;
};

}  // namespace glint::gpu
