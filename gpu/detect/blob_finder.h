// Finds the markers of a frame that are blobs.
#pragma once

#include <cstdint>

#include "gpu/detect/blobs.h"
#include "gpu/detect/frame_memory.h"
#include "gpu/frame.h"
#include "gpu/recorder.h"

namespace glint::gpu {

struct FrameInFlight;

class BlobFinder {
 public:
  /// Throws Error when the device has no room.
  BlobFinder(const Device& device, const FrameFormat& format);

  /// Writes FrameMemory::results, and the blobs found where starts() says. Copies them
  /// for the host, if the frame asks for it.
  void record(Recorder& recorder, const FrameInFlight& frame, const FrameMemory& memory) const;

  /// Makes room for more blobs; false if the device allows no more. Nothing may be in flight.
  bool grow() { return blobs_.grow(); }

  /// shared::Detection, in order of rank.
  const Buffer& starts() const { return starts_; }

 private:
  Blobs blobs_;
  Buffer starts_;
  uint32_t fullScale_;
};

}  // namespace glint::gpu
