// Makes the planes of a frame: where markers are measured, and where they are sought.
#pragma once

#include <optional>

#include "gpu/frame_in_flight.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"

namespace glint {

class PlaneMaker {
 public:
  /// Throws Error when the device has no room. `passes` must outlive it.
  PlaneMaker(const Device& device, const FrameFormat& format, const Passes& passes);

  /// Uploads a frame, where the device has memory of its own, and makes its planes, some of them in
  /// buffers of `kit`.
  FramePlanes record(Recorder& recorder, const FrameSlot& frame, const Settings& settings,
                     const FrameKit& kit) const;

  /// The first half of it: source and luminance.
  FramePlanes recordLuminance(Recorder& recorder, const FrameSlot& frame) const;

 private:

  const Passes& passes_;
  shared::PlaneShape grey_, source_;
  uint32_t layers_;
  std::optional<Buffer> upload_;     // where the device has memory of its own
  std::optional<Buffer> luminance_;  // of colour frames; grey input is itself, and neutral frames bring theirs
};

}  // namespace glint
