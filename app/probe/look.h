// A few frames of a recording, spread over it, and what is in them by whatever settings.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "app/capture/source.h"
#include "app/probe/proposal.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"
#include "gpu/device.h"
#include "gpu/frame_pool.h"

namespace glint {

/// Holds the frames, and measures them as often as wanted. One thread.
class FrameSample {
 public:
  /// Takes up to five frames, three of large ones; where the source cannot be sought in, from its
  /// beginning. Throws Error when there is no frame at all or the device has no room. `device` must
  /// outlive it.
  FrameSample(const Device& device, Source& source);
  ~FrameSample();

  size_t frames() const { return frames_.size(); }
  /// Frame `i`, in the order of the recording but for the middle one, which comes second.
  const FrameLease& frame(size_t i) const { return frames_[i]; }
  const ImageFormat& format() const { return format_; }

  /// As the first frame of a recording is measured: each by its own statistics. Throws UsageError
  /// where the settings contradict each other.
  LayerMeasurement measure(const Settings& settings, size_t frame);
  Findings measureFirst(const Settings& settings, size_t frames);

 private:
  ImageFormat format_;
  std::unique_ptr<Detector> detector_;
  Settings::Detect masked_ = Settings().detect;  // which asked for `masks_`
  Masks masks_;
  std::vector<FrameLease> frames_;
};

/// What to set for a recording. `progress` is told how many of kMostTrials are done.
Proposal probe(FrameSample& sample, const SettingsFor& settingsFor,
               const std::function<void(size_t)>& progress = {});

}  // namespace glint
