// Detects markers in a recording with several settings that share most of the work.
#pragma once

#include <memory>
#include <vector>

#include "app/capture/sets/feeds.h"
#include "app/motion/frame/setting_images.h"
#include "app/session/camera_trackers.h"
#include "app/session/detectors.h"
#include "gpu/detect/variant_detector.h"

namespace glint::study {

/// Makes `detectors` use `measuring` from now on. Waits until they are ready.
void turnTo(const session::Measuring& measuring, session::Detectors& detectors);

/// Sets the expectation of each camera that has none yet, from the statistics of its own frame in
/// this set.
void expectFirst(std::vector<gpu::LayerExpectation>& expectations,
                 const capture::CameraGroups& groups, session::Detectors& detectors,
                 const capture::FrameSet& set);

/// Detects markers as session::Detectors do, but with several settings at once. Used by one thread.
/// Only one set may be submitted at a time.
class SharedDetection {
 public:
  /// `variants`: the settings, not null, all of which can share their work: see
  /// VariantDetector::canShare(). `stills`: the frames have nothing to do with each other. `device`
  /// must outlive it.
  SharedDetection(const gpu::Device& device, const capture::CameraGroups& groups,
                  std::vector<std::shared_ptr<const Settings>> variants,
                  std::shared_ptr<const motion::SettingImages> images, bool stills);

  /// Starts the detection in a set. For the first frame of a camera, waits until its statistics are
  /// measured.
  void submit(const capture::FrameSet& set);
  /// Waits for the submitted set. Returns for each of the variants the measurements of all cameras.
  std::vector<std::vector<session::TrackerInput>> collect();

 private:
  const capture::CameraGroups groups_;
  const std::vector<std::shared_ptr<const Settings>> variants_;
  const bool forgets_;  // True if each frame is measured with its own statistics only.
  // Measure the statistics of first frames, and all of a frame with too many candidates.
  session::Detectors alone_;
  // One detector for each group of cameras.
  std::vector<std::unique_ptr<gpu::VariantDetector>> detectors_;
  std::vector<gpu::LayerExpectation> expectations_;  // The expectation for each camera.
  capture::FrameSet set_;
};

}  // namespace glint::study
