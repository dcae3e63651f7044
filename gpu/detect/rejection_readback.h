// The device's data of a frame, copied to the host on request: to explain why candidates were
// rejected.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu/detect/blobs.h"
#include "gpu/detect/limits.h"
#include "gpu/frame.h"
#include "gpu/mask.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"

namespace glint::gpu {

/// The blobs of a frame.
class BlobReadback {
 public:
  /// Throws Error when the device has no room.
  BlobReadback(const Device& device, uint32_t layers);

  /// Copies them; after they were found. Nothing may be in flight.
  void record(Recorder& recorder, const Blobs& blobs);

  /// Once the recording is done: a layer's, whole components and parts.
  std::span<const shared::Blob> of(uint32_t layer) const;

 private:
  const Device& device_;
  uint32_t layers_;
  Buffer counts_;
  std::optional<Buffer> blobs_;  // as much as there is room for
};

/// The response of a frame.
class RejectionReadback {
 public:
  /// Throws Error when the device has no room.
  RejectionReadback(const Device& device, const FrameFormat& format);

  /// Copies the response; after it was made.
  void record(Recorder& recorder, const Plane& response) const;

  /// After the recording: why those candidates of the layer that are not in `found` are no markers;
  /// see gpu/detect/explain.h. Where markers are blobs, single pixels are reported only if they are
  /// masked. `mask`: empty or of the frames' size. `blobs`: null unless the layer's blobs were
  /// measured.
  std::vector<Rejected> explain(uint32_t layer, const LayerMask& mask,
                                const Settings::Detect& settings, uint32_t threshold,
                                uint32_t prominence, std::span<const shared::Detection> found,
                                const BlobReadback* blobs) const;

 private:
  FrameFormat format_;  // of the response
  Buffer response_;
};

}  // namespace glint::gpu
