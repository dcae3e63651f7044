// Brings a frame to the device, with its luminance.
#pragma once

#include <optional>

#include "gpu/frame_pool.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"

namespace glint::gpu {

/// For frames of one format; one at a time.
class FrameUpload {
 public:
  struct Planes {
    Plane source;     ///< as it came; of neutral frames only if it is asked for
    Plane luminance;  ///< of grey frames the source, of neutral ones the slot's grey
  };

  /// Throws Error when the device has no room. `passes` must outlive it.
  FrameUpload(const Device& device, const FrameFormat& format, const Passes& passes);

  /// Copies what is not on its way of the frame, where the device has memory of its own.
  /// `inColour`: the source's plane is read.
  Planes record(Recorder& recorder, const FrameSlot& frame, bool inColour) const;

 private:
  const Passes& passes_;
  shared::PlaneShape grey_, source_;
  uint32_t layers_;
  std::optional<Buffer> upload_;     // where the device has memory of its own
  std::optional<Buffer> luminance_;  // of colour frames
};

}  // namespace glint::gpu
