// Pictures of one size that are measured many times with different settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "config/settings.h"
#include "gpu/detect/detector.h"
#include "gpu/device.h"
#include "gpu/frame_pool.h"

namespace glint::study {

/// Pictures of one recording, which may be smaller than its frames. Settings and results are always
/// those of the frames themselves. Used by one thread.
class SampledPictures {
 public:
  /// Holds the frames as they are. All must have the same format. `device` must outlive the object.
  /// Throws Error if the device has no memory left.
  SampledPictures(const gpu::Device& device, std::vector<gpu::FrameLease> frames);

  /// Holds grey pictures in which a pixel is the mean luminance of a block of `block` x `block` px
  /// (2 or more) of a frame. The rest of a division at the right and at the lower edge is left out.
  SampledPictures(const gpu::Device& device, const std::vector<gpu::FrameLease>& frames,
                  uint32_t block);

  /// Measures picture `i` with its own statistics, as the first frame of a recording is measured.
  /// In smaller pictures, radii and distances of the settings are divided by the block's side, and
  /// the results are multiplied by it. Throws UsageError if the settings contradict each other or
  /// the masks do not fit the frames.
  gpu::LayerMeasurement measure(const std::shared_ptr<const Settings>& settings, size_t i);

 private:
  // The statistics of one picture's response. They do not depend on limits, so most trials share
  // them.
  struct Statistics {
    size_t picture;
    Settings::Response response;
    bool sampled;  // true if the threshold is automatic, so that the background was measured
    gpu::Masks masks;
    gpu::ResponseStatistics values;
  };

  const gpu::Masks& masksOf(const Settings::Detect& detect);
  gpu::ResponseStatistics statisticsOf(const gpu::DetectionConfig& config, size_t i);

  std::vector<gpu::FrameLease> pictures_;
  gpu::ImageFormat frame_;  // the format of the frames themselves
  uint32_t block_;          // px of a frame along each side of a pixel
  std::unique_ptr<gpu::Detector> detector_;
  Settings::Detect masked_ = Settings().detect;  // The settings that `masks_` were made with.
  gpu::Masks masks_;
  std::vector<Statistics> known_;
};

}  // namespace glint::study
