// Detections of a recording by settings that share most of the work.
#pragma once

#include <memory>
#include <vector>

#include "app/capture/feeds.h"
#include "app/frame/setting_images.h"
#include "app/session/detectors.h"
#include "app/session/trackers.h"
#include "gpu/detect/variant_detector.h"

namespace glint {

/// From now on `detectors` measure like this; waits until they can.
void turnTo(const Measuring& measuring, Detectors& detectors);

/// Gives the cameras that nothing is expected of the statistics of this set itself.
void expectFirst(std::vector<LayerExpectation>& expectations, const CameraGroups& groups,
                 Detectors& detectors, const FrameSet& set);

/// What Detectors are for one of several settings. Used by one thread; one set in flight.
class SharedDetection {
 public:
  /// `variants`: VariantDetector::canShare(). `device` must outlive it.
  SharedDetection(const Device& device, const CameraGroups& groups, std::vector<Settings> variants,
                  std::shared_ptr<const SettingImages> images, bool stills);

  void submit(const FrameSet& set);
  /// Waits for the submitted set: what all cameras measure by each of the variants.
  std::vector<std::vector<TrackerInput>> collect();

 private:
  const CameraGroups groups_;
  const std::vector<Settings> variants_;
  const bool forgets_;  // each frame goes by its own statistics
  Detectors alone_;     // first frames, and frames with too many candidates
  std::vector<std::unique_ptr<VariantDetector>> detectors_;  // a group each
  std::vector<LayerExpectation> expectations_;               // a camera each
  FrameSet set_;
};

}  // namespace glint
