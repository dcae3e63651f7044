// What the device saw of a frame, where the host can read it: for telling why candidates are no
// markers. Costs a copy of the response, and so is there on request only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu/blobs.h"
#include "gpu/frame.h"
#include "gpu/limits.h"
#include "gpu/mask.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"

namespace glint {

class Evidence {
 public:
  /// `masks`: one a layer, or none at all. Throws Error when the device has no room.
  Evidence(const Device& device, const FrameFormat& format, std::vector<LayerMask> masks);

  /// Copies the response; after it was made.
  void recordResponse(Recorder& recorder, const Plane& response) const;

  /// Copies the blobs; after they were found. Nothing may be in flight.
  void recordBlobs(Recorder& recorder, const Blobs& blobs);

  /// Once the recording is done: why the layer's candidates that are not in `found` are no markers;
  /// see gpu/explain.h. Where markers are blobs, of single pixels only those that are masked.
  /// `resolved`: the layer's blobs were measured.
  std::vector<Rejected> explain(uint32_t layer, const Settings::Detect& settings,
                                uint32_t threshold, std::span<const shared::Detection> found,
                                bool resolved) const;

 private:
  std::span<const shared::Blob> blobsOf(uint32_t layer) const;

  const Device& device_;
  FrameFormat format_;  // of the response
  std::vector<LayerMask> masks_;
  Buffer response_;
  std::optional<Buffer> counts_, blobs_;
};

}  // namespace glint
