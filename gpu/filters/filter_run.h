// Runs frames through a chain of filters, without detection.
#pragma once

#include <vector>

#include "gpu/filters/chain.h"
#include "gpu/frame_upload.h"

namespace glint::gpu {

/// Filters frames of one format, one at a time. `device` must outlive the object.
class FilterRun {
 public:
  /// Throws as FilterChain does.
  FilterRun(const Device& device, const FrameFormat& format, const FilterUses& uses,
            const FilterImages& images, const FilterChain::Keep& keep);

  /// Filters a frame, waits for the device, and returns the plane that is kept, in the host's
  /// memory; it is valid until the next call. The plane has the channels of format().
  Plane run(const FrameSlot& frame, const FilterUses& uses);
  /// Returns the format of the plane that is kept.
  const ImageFormat& format() const { return image_; }
  /// Returns the pixels of one layer of the plane that is kept, as of the last run.
  ImageView pixels(uint32_t layer) const;
  /// Returns the device's time for each pass of the last frame.
  const std::vector<PassTime>& times() const { return times_; }

 private:
  Passes passes_;
  FilterKernels kernels_;
  FrameUpload upload_;
  FilterChain chain_;
  ImageFormat image_;
  Buffer result_;
  std::vector<PassTime> times_;
  Recorder recorder_;  // destroyed first, because its destructor waits for work that uses the rest
};

}  // namespace glint::gpu
