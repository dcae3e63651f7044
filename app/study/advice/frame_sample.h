// A few frames of a recording, spread over it, for trials of settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"
#include "app/study/advice/markers_by_frame.h"
#include "app/study/advice/sampled_pictures.h"
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
  /// A survey measures reduced pictures in which the radius of the response is still at least this,
  /// px. The smallest markers that belong to it have half this radius, so they keep their shape.
  /// Raising it makes surveys slower and more exact.
  double leastSurveyed = 3;
  /// Reduced pictures have at least this many pixels along each side. Smaller ones hold too few
  /// large things to compare markers with their negative. Raising it reduces small
  /// frames less.
  uint32_t leastSide = 128;
};

/// Holds frames of a recording, and measures them any number of times. Used by one thread.
class FrameSample {
 public:
  /// Takes frames spread over the recording; if the source cannot seek, takes them from its
  /// beginning. Throws Error if the source gives no frame at all or the device has no memory left.
  /// `device` must outlive it.
  FrameSample(const gpu::Device& device, capture::Source& source,
              const capture::Interrupt* interrupt = nullptr, const SampleOptions& options = {});

  size_t frames() const { return frames_.size(); }
  /// Returns frame `i`. The frames have the order of the recording, except that the middle one
  /// comes second.
  const gpu::FrameLease& frame(size_t i) const { return frames_[i]; }
  const gpu::ImageFormat& format() const { return format_; }

  /// Measures a frame with its own statistics, as the first frame of a recording is measured.
  /// Throws UsageError if the settings contradict each other.
  gpu::LayerMeasurement measure(const Settings& settings, size_t frame);
  /// Returns the markers in each of the first `frames` frames. Throws as measure().
  MarkersByFrame measureFirst(const Settings& settings, size_t frames);

  /// Returns the markers in a frame as measure() does, but in a fraction of the time if they are
  /// large: measures a picture that is reduced as far as the radius of the response allows. If the
  /// response is not a difference of Gaussians, or if there are filters, measures the frame itself.
  /// Throws as measure().
  std::vector<shared::Detection> survey(const Settings& settings, size_t frame);

  /// True if survey() measures reduced pictures with these settings.
  bool isReduced(const Settings& settings) const { return blockFor(settings) > 1; }

 private:
  uint32_t blockFor(const Settings& settings) const;
  void checkInterrupt() const;

  const gpu::Device& device_;
  const capture::Interrupt* interrupt_;
  const SampleOptions options_;
  gpu::ImageFormat format_;
  std::vector<gpu::FrameLease> frames_;
  std::map<uint32_t, SampledPictures>
      pictures_;  // keys: side of a block, px; 1 stands for the frames
};

}  // namespace glint::study
