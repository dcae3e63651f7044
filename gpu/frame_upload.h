// Copies a frame to the device and computes its luminance.
#pragma once

#include <optional>

#include "gpu/frame_pool.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"

namespace glint::gpu {

/// Uploads frames of one format, one at a time.
class FrameUpload {
 public:
  struct Planes {
    Plane source;     ///< the frame as delivered; for neutral frames only valid with `inColour`
    Plane luminance;  ///< for grey frames the source; for neutral frames the grey of the slot
  };

  /// Throws Error if the device has no room. `passes` must outlive it.
  FrameUpload(const Device& device, const FrameFormat& format, const Passes& passes);

  /// Records a copy of those parts of the frame that are not uploaded yet, if the device has memory
  /// of its own, and the computation of the luminance. `inColour` tells that the plane of the
  /// source will be read.
  Planes record(Recorder& recorder, const FrameSlot& frame, bool inColour) const;

 private:
  const Passes& passes_;
  shared::PlaneShape grey_, source_;
  uint32_t layers_;
  std::optional<Buffer> upload_;     // set if the device has memory of its own
  std::optional<Buffer> luminance_;  // set if frames have colour
};

}  // namespace glint::gpu
