// Finds the markers of a frame if markers are blobs (detect.method = "blobs").
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
  /// Throws Error if the device has no room.
  BlobFinder(const Device& device, const FrameFormat& format);

  /// Records the search for blobs. It writes FrameMemory::results and starts(). It also copies all
  /// blobs for the host, if the frame asks for it.
  void record(Recorder& recorder, const FrameInFlight& frame, const FrameMemory& memory) const;

  /// Makes room for more blobs. Returns false if the device does not allow it. Nothing may be in
  /// flight.
  bool grow() { return blobs_.grow(); }

  /// Returns the accepted blobs, as shared::Detection in order of rank.
  const Buffer& starts() const { return starts_; }

 private:
  Blobs blobs_;
  Buffer starts_;
  uint32_t fullScale_;
};

}  // namespace glint::gpu
