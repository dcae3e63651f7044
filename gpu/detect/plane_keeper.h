// Copies planes of frames for drawing, as part of the frame's own recording.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "gpu/plane_images.h"
#include "gpu/recorder.h"

namespace glint::gpu {

struct FrameInFlight;

/// Returns the layout of a plane with one bit per pixel, in rows of whole words as in masks.
shared::PlaneShape bitmapShape(const ImageFormat& image);

/// Three buffers for one kind of plane, each for one frame. Thread-safe. Buffers that were taken
/// may outlive the pool.
class PlanePool {
 public:
  /// Throws Error if the device has no room.
  PlanePool(const Device& device, size_t bytes, const std::string& name);

  /// Returns a free buffer, which becomes free again when the last holder releases it. Returns null
  /// if all are held.
  std::shared_ptr<const Buffer> take() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Marks the candidates of a frame in a plane with one bit per pixel.
class CandidateMarker {
 public:
  /// Makes the kernels for responses with pixels of `bits` (8 or 16) bits.
  CandidateMarker(const Device& device, uint32_t bits);

  /// Records the pass that writes `bitmap`, in rows of whole words. The thresholds are those in
  /// `feedback` (shared::Feedback).
  void record(Recorder& recorder, const FrameInFlight& frame, const Buffer& feedback,
              const Buffer& bitmap) const;

 private:
  Kernel kernel_, kernelMasked_;
};

/// Records copies of the planes for which the frame's resources have pools. The planes must have
/// been made. Returns null if there are none to copy, or if the planes of three frames are still
/// held, because detection never waits for drawing.
std::shared_ptr<const PlaneImages> keepPlanes(Recorder& recorder, const FrameInFlight& frame,
                                              const Buffer& feedback);

}  // namespace glint::gpu
