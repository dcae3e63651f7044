// Planes of a frame that are kept on the device for drawing.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/buffer.h"
#include "gpu/frame.h"
#include "gpu/recorder.h"
#include "shared/plane.h"

namespace glint::gpu {

/// All layers of one plane.
struct PlaneImage {
  /// Null: it was not wanted. The host sees it where the device is a CPU.
  std::shared_ptr<const Buffer> buffer;
  ImageFormat format;          ///< of its pixels; of candidates 1 bit each
  shared::PlaneShape shape{};  ///< how they lie: rows of whole words, lowest bits first
  int32_t left = 0, top = 0;   ///< where the frame has its first pixel
};

/// Those of one frame that were wanted. Nothing writes to them as long as they are held, and
/// whoever holds them keeps buffers, semaphore and the Vulkan device alive, also when detector and
/// Device are gone. Who draws them waits for the timeline on the device, and holds them until the
/// drawing is done there.
struct PlaneImages {
  PlaneImage source;      ///< as it came; of neutral frames (FrameStamp) one channel
  PlaneImage luminance;   ///< as it came, not inverted
  PlaneImage response;    ///< in which markers are sought
  PlaneImage candidates;  ///< one bit a pixel: a candidate, or foreground where markers are blobs
  PlaneImage filter;      ///< what a filter makes of the frame, or of a part of it
  uint32_t layers = 1;
  std::shared_ptr<const Timeline> timeline;
  uint64_t value = 0;  ///< that the timeline reaches once they are complete
};

}  // namespace glint::gpu
