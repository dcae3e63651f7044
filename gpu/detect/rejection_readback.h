// Copies data of a frame from the device to the host, if it is requested, to explain why candidates
// were rejected.
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

/// A copy of the blobs of a frame.
class BlobReadback {
 public:
  /// Throws Error if the device has no room.
  BlobReadback(const Device& device, uint32_t layers);

  /// Records the copy, after the search for blobs. Nothing may be in flight.
  void record(Recorder& recorder, const Blobs& blobs);

  /// Returns the blobs of a layer, both components and parts. The recording must be done.
  std::span<const shared::Blob> of(uint32_t layer) const;

 private:
  const Device& device_;
  uint32_t layers_;
  Buffer counts_;
  std::optional<Buffer> blobs_;  // as large as the memory of the Blobs
};

/// A copy of the response of a frame.
class RejectionReadback {
 public:
  /// Throws Error if the device has no room.
  RejectionReadback(const Device& device, const FrameFormat& format);

  /// Records the copy. The response must have been made.
  void record(Recorder& recorder, const Plane& response) const;

  /// Returns the candidates of a layer that are not in `found`, with the reasons why they are no
  /// markers (see gpu/detect/explain.h). The recording must be done. If markers are blobs, the
  /// result has the rejected blobs, and single pixels only if they are masked. `mask` is empty or
  /// as large as the frames. `blobs` is null unless the blobs of the layer were measured.
  std::vector<Rejected> explain(uint32_t layer, const LayerMask& mask,
                                const Settings::Detect& settings, uint32_t threshold,
                                uint32_t prominence, std::span<const shared::Detection> found,
                                const BlobReadback* blobs) const;

 private:
  FrameFormat format_;  // format of the response
  Buffer response_;
};

}  // namespace glint::gpu
