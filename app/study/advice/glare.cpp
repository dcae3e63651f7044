#include "app/study/advice/glare.h"

#include <algorithm>

#include "app/motion/frame/threshold_doubt.h"
#include "app/study/advice/markers_by_frame.h"
#include "gpu/detect/limits.h"
#include "gpu/ground_level.h"
#include "gpu/statistics.h"

namespace glint::study {

std::optional<Glare> findGlare(FrameSample& sample, const Settings& settings,
                               const GlareOptions& options) {
  const gpu::LayerMeasurement first = sample.measure(settings, 0);
  if (!motion::hasGlare(first, settings)) return std::nullopt;
  const double fullScale = sample.format().fullScale();
  const gpu::GroundLevel ground =
      gpu::levelOf(first.ground.used, first.ground.sum, first.ground.squares);
  const double dark = ground.mean;
  const double level = ground.threshold(settings.detect.thresholdSigma, first.response.most,
                                        gpu::GroundOptions{}.minHeight);
  Settings low = settings;
  low.detect.threshold = std::min(1.0, level / fullScale);
  low.detect.maxMarkers = kMostDetections;
  Settings negative = low;
  negative.response.dark =
      !settings.response.dark && settings.response.kind != ResponseKind::inverted;
  negative.response.kind = ResponseKind::luminance;
  negative.detect.threshold = std::min(1.0, (fullScale - dark + (level - dark)) / fullScale);
  const auto contrasts = [&](const Settings& measured) {
    return valuesOf(sample.measureFirst(measured, sample.frames()), gpu::contrastOf);
  };
  const Cut cut =
      cutOf(contrasts(low), contrasts(negative), sample.frames(), options.decoyFloor, options.cut);
  const double seen = countOf(sample.measureFirst(settings, sample.frames()));
  const double hidden = cut.markers - seen;
  if (!cut.sure || hidden < options.leastHidden || cut.markers < options.worthwhile * seen)
    return std::nullopt;
  return Glare{.hides = hidden};
}

}  // namespace glint::study
