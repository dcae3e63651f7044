#include "app/motion/frame/tracking_counts.h"

#include "app/motion/frame/threshold_doubt.h"

namespace glint::motion {

void countMeasurement(const gpu::LayerMeasurement& measured, const Settings& settings,
                      TrackingCounts& counts) {
  counts.markers += measured.markers.size();
  if (measured.markers.size() == static_cast<size_t>(settings.detect.maxMarkers))
    ++counts.fullFrames;
  if (measured.partial) ++counts.partialFrames;
  if (measured.response.most < measured.threshold) ++counts.dimFrames;
  counts.barely += countBarely(measured, settings);
  if (lampOf(measured, settings) != nullptr) ++counts.lampFrames;
  counts.elongated += measured.elongated;
}

}  // namespace glint::motion
