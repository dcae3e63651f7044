// Detections of a recording by settings that share most of the work.
#pragma once

#include <memory>
#include <vector>

#include "app/capture/sets/feeds.h"
#include "app/motion/frame/setting_images.h"
#include "app/session/detectors.h"
#include "app/session/trackers.h"
#include "gpu/detect/variant_detector.h"

namespace glint::study {

/// From now on `detectors` measure like this; waits until they can.
void turnTo(const session::Measuring& measuring, session::Detectors& detectors);

/// Gives the cameras that nothing is expected of the statistics of this set itself.
void expectFirst(std::vector<gpu::LayerExpectation>& expectations,
                 const capture::CameraGroups& groups, session::Detectors& detectors,
                 const capture::FrameSet& set);

/// What Detectors are for one of several settings. Used by one thread; one set in flight.
class SharedDetection {
 public:
  /// `variants`: none of them null, and all VariantDetector::canShare(). `device` must outlive it.
  SharedDetection(const gpu::Device& device, const capture::CameraGroups& groups,
                  std::vector<std::shared_ptr<const Settings>> variants,
                  std::shared_ptr<const motion::SettingImages> images, bool stills);

  void submit(const capture::FrameSet& set);
  /// Waits for the submitted set: what all cameras measure by each of the variants.
  std::vector<std::vector<session::TrackerInput>> collect();

 private:
  const capture::CameraGroups groups_;
  const std::vector<std::shared_ptr<const Settings>> variants_;
  const bool forgets_;        // each frame goes by its own statistics
  session::Detectors alone_;  // first frames, and frames with too many candidates
  std::vector<std::unique_ptr<gpu::VariantDetector>> detectors_;  // a group each
  std::vector<gpu::LayerExpectation> expectations_;               // a camera each
  capture::FrameSet set_;
};

}  // namespace glint::study
