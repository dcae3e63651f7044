// Makes the planes of a frame: the one in which markers are measured, and the one in which they are
// searched for.
#pragma once

#include "gpu/detect/frame_in_flight.h"
#include "gpu/frame_upload.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"

namespace glint::gpu {

class PlaneMaker {
 public:
  /// Throws Error if the device has no room. `passes` must outlive it.
  PlaneMaker(const Device& device, const FrameFormat& format, const Passes& passes);

  /// Records the upload of a frame and the passes that make its planes, some of them in buffers of
  /// `resources`. `viewed` is the id of a filter whose output is kept, if `resources` have a free
  /// buffer for it.
  FramePlanes record(Recorder& recorder, const FrameSlot& frame, const Settings& settings,
                     const FrameResources& resources, const std::string& viewed = {}) const;

 private:
  const Passes& passes_;
  FrameUpload upload_;
  shared::PlaneShape grey_;
  uint32_t layers_;
};

}  // namespace glint::gpu
