// Copies of a frame's planes that are kept on the device for drawing.
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
  /// The pixels; null if the plane was not requested. On a CPU the host can read them.
  std::shared_ptr<const Buffer> buffer;
  ImageFormat format;          ///< format of the pixels; candidates have 1 bit
  shared::PlaneShape shape{};  ///< layout: rows of whole words, lowest bits first
  int32_t left = 0, top = 0;   ///< position of the plane's first pixel in the frame, px
};

/// The planes of one frame that were requested. They do not change as long as somebody holds them.
/// A holder keeps the buffers, the semaphore and the Vulkan device alive, even after the detector
/// and the Device are destroyed. A user who draws the planes must make the device wait for the
/// timeline, and hold the planes until the drawing is done.
struct PlaneImages {
  PlaneImage source;      ///< the frame as delivered; neutral frames (FrameStamp) have one channel
  PlaneImage luminance;   ///< the luminance as delivered, not inverted
  PlaneImage response;    ///< the plane in which markers are searched for
  PlaneImage candidates;  ///< one bit per pixel: candidates, or the foreground if markers are blobs
  PlaneImage filter;      ///< the output of a filter, for the frame or a part of it
  uint32_t layers = 1;
  std::shared_ptr<const Timeline> timeline;
  uint64_t value = 0;  ///< value of the timeline at which the planes are complete
};

}  // namespace glint::gpu
