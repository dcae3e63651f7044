// A few frames of a recording, spread over it, for trials of settings.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "app/capture/source/source.h"
#include "app/study/advice/markers_by_frame.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"
#include "gpu/device.h"
#include "gpu/frame_pool.h"

namespace glint::study {

/// How many frames are sampled.
struct SampleOptions {
  /// Frames of a picture of usual size. More frames see more of what moves, and take longer.
  size_t frames = 5;
  /// Frames of a large picture, and the size in pixels from which a picture is large.
  size_t framesIfLarge = 3, largePixels = 3'000'000;
  /// Where the source cannot seek: one frame is taken out of so many.
  uint64_t stride = 10;
};

/// Holds the frames, and measures them as often as wanted. Used by one thread.
class FrameSample {
 public:
  /// Takes frames spread over the recording, or from its beginning if the source cannot seek.
  /// Throws Error if there is no frame at all or the device has no room. `device` must outlive it.
  FrameSample(const gpu::Device& device, capture::Source& source,
              const SampleOptions& options = {});
  ~FrameSample();

  size_t frames() const { return frames_.size(); }
  /// Returns frame `i`, in the order of the recording except that the middle one comes second.
  const gpu::FrameLease& frame(size_t i) const { return frames_[i]; }
  const gpu::ImageFormat& format() const { return format_; }

  /// Measures a frame as the first frame of a recording is measured: by its own statistics. Throws
  /// UsageError if the settings contradict each other.
  gpu::LayerMeasurement measure(const Settings& settings, size_t frame) {
    return measure(std::make_shared<const Settings>(settings), frame);
  }
  MarkersByFrame measureFirst(const Settings& settings, size_t frames);

 private:
  gpu::LayerMeasurement measure(const std::shared_ptr<const Settings>& settings, size_t frame);

  gpu::ImageFormat format_;
  std::unique_ptr<gpu::Detector> detector_;
  Settings::Detect masked_ = Settings().detect;  // the settings that `masks_` were made for
  gpu::Masks masks_;
  std::vector<gpu::FrameLease> frames_;
};

}  // namespace glint::study
