// Makes the planes of a frame: where markers are measured, and where they are sought.
#pragma once

#include "gpu/detect/frame_in_flight.h"
#include "gpu/frame_upload.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"

namespace glint::gpu {

class PlaneMaker {
 public:
  /// Throws Error when the device has no room. `passes` must outlive it.
  PlaneMaker(const Device& device, const FrameFormat& format, const Passes& passes);

  /// Uploads a frame and makes its planes, some of them in buffers of `resources`. `viewed`: the id
  /// of a filter whose plane is kept, where the resources have room for it.
  FramePlanes record(Recorder& recorder, const FrameSlot& frame, const Settings& settings,
                     const FrameResources& resources, const std::string& viewed = {}) const;

 private:
  const Passes& passes_;
  FrameUpload upload_;
  shared::PlaneShape grey_;
  uint32_t layers_;
};

}  // namespace glint::gpu
