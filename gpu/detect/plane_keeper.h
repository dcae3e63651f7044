// Keeps planes of frames for drawing: copies, in the frame's own recording.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "gpu/plane_images.h"
#include "gpu/recorder.h"

namespace glint::gpu {

struct FrameInFlight;

/// How a plane of one bit a pixel lies: rows of whole words, as in masks.
shared::PlaneShape bitmapShape(const ImageFormat& image);

/// Three buffers for one plane of as many frames. Thread-safe; what it gave outlives it.
class PlanePool {
 public:
  /// Throws Error when the device has no room.
  PlanePool(const Device& device, size_t bytes, const std::string& name);

  /// One that nobody holds, until the last holder lets go; null while all are held.
  std::shared_ptr<const Buffer> take() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Marks candidates in a plane of one bit a pixel.
class CandidateMarker {
 public:
  /// For responses of `bits` (8 or 16).
  CandidateMarker(const Device& device, uint32_t bits);

  /// `feedback`: shared::Feedback, whose thresholds count. Into `bitmap`, in rows of whole words.
  void record(Recorder& recorder, const FrameInFlight& frame, const Buffer& feedback,
              const Buffer& bitmap) const;

 private:
  Kernel kernel_, kernelMasked_;
};

/// Copies the planes that the frame's resources has pools for; after they were made. Null if there
/// is none to keep, or if three frames' are held already: nothing waits for who draws.
std::shared_ptr<const PlaneImages> keepPlanes(Recorder& recorder, const FrameInFlight& frame,
                                              const Buffer& feedback);

}  // namespace glint::gpu
