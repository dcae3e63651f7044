// A few frames of a recording, spread over it, for trials of settings.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"
#include "app/study/advice/markers_by_frame.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"
#include "gpu/device.h"
#include "gpu/frame_pool.h"

namespace glint::study {

/// Options that determine the number of frames in a sample.
struct SampleOptions {
  /// The number of frames, for pictures of usual size. With more frames, more of what moves is
  /// seen, and each trial takes longer.
  size_t frames = 5;
  /// The number of frames, for large pictures; a picture is large if it has more than `largePixels`
  /// pixels.
  size_t framesIfLarge = 3, largePixels = 3'000'000;
  /// One frame is taken out of this many in succession, if the source cannot seek. Raising it
  /// spreads the frames wider, and reads longer.
  uint64_t stride = 10;
};

/// Holds frames of a recording, and measures them any number of times. Used by one thread.
class FrameSample {
 public:
  /// Takes frames spread over the recording; if the source cannot seek, takes them from its
  /// beginning. Throws Error if the source gives no frame at all or the device has no memory left.
  /// `device` must outlive it.
  FrameSample(const gpu::Device& device, capture::Source& source,
              const capture::Interrupt* interrupt = nullptr, const SampleOptions& options = {});
  ~FrameSample();

  size_t frames() const { return frames_.size(); }
  /// Returns frame `i`. The frames have the order of the recording, except that the middle one
  /// comes second.
  const gpu::FrameLease& frame(size_t i) const { return frames_[i]; }
  const gpu::ImageFormat& format() const { return format_; }

  /// Measures a frame with its own statistics, as the first frame of a recording is measured.
  /// Throws UsageError if the settings contradict each other.
  gpu::LayerMeasurement measure(const Settings& settings, size_t frame) {
    return measure(std::make_shared<const Settings>(settings), frame);
  }
  /// Returns the markers in each of the first `frames` frames. Throws as measure().
  MarkersByFrame measureFirst(const Settings& settings, size_t frames);

 private:
  gpu::LayerMeasurement measure(const std::shared_ptr<const Settings>& settings, size_t frame);

  gpu::ImageFormat format_;
  const capture::Interrupt* interrupt_;
  std::unique_ptr<gpu::Detector> detector_;
  Settings::Detect masked_ = Settings().detect;  // The settings that `masks_` were made with.
  gpu::Masks masks_;
  std::vector<gpu::FrameLease> frames_;
};

}  // namespace glint::study
