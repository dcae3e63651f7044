// Frames through a chain of filters, without detection.
#pragma once

#include <vector>

#include "gpu/filters/chain.h"
#include "gpu/frame_upload.h"

namespace glint::gpu {

/// For frames of one format; one at a time. `device` must outlive it.
class FilterRun {
 public:
  /// Throws as FilterChain does.
  FilterRun(const Device& device, const FrameFormat& format, const FilterUses& uses,
            const FilterImages& images, const FilterChain::Keep& keep);

  /// What the chain makes of a frame; valid until the next call. Its channels are those of
  /// format().
  Plane run(const FrameSlot& frame, const FilterUses& uses);
  /// Of the plane that is kept.
  const ImageFormat& format() const { return image_; }
  /// Its pixels, one layer of the last run.
  ImageView pixels(uint32_t layer) const;
  /// The device's time for each pass of the last frame.
  const std::vector<PassTime>& times() const { return times_; }

 private:
  Passes passes_;
  FilterKernels kernels_;
  FrameUpload upload_;
  FilterChain chain_;
  ImageFormat image_;
  Buffer result_;
  std::vector<PassTime> times_;
  Recorder recorder_;  // last: its destructor waits for what uses the others
};

}  // namespace glint::gpu
