// Markers of another, dimmer kind that the automatic threshold leaves out.
#pragma once

#include <optional>

#include "app/study/advice/markers_by_frame.h"
#include "app/study/advice/remedy.h"
#include "config/settings.h"

namespace glint::study {

/// Limits for a dimmer kind of marker. The values were chosen with the likenesses of
/// tests/cli/likeness_test.py. Unless a comment says otherwise, a share is a share of the number of
/// markers above the threshold.
struct DimmerOptions {
  /// The search goes down to this many standard deviations above the mean response. Lowering it
  /// finds fainter markers, and more noise.
  double thresholdSigma = 1.5;
  /// The significance that a dimmer marker must have, in standard deviations of the noise. Lowering
  /// it takes noise for markers.
  double significance = 30;
  /// The largest ratio between the radius of a dimmer marker and the median radius of the markers
  /// above the threshold, whichever of the two is larger. Raising it accepts more unlike things.
  double sizeRatio = 1.5;
  /// The largest ratio between the contrasts of dimmer markers; the faintest and the strongest
  /// tenth are left out. If the contrasts differ more, the markers are probably a texture rather
  /// than a kind of marker.
  double contrastRatio = 2;
  /// Dimmer markers are a kind of their own if there are enough of them: at least this share, and
  /// at least `leastPerFrame` in each frame on average. Raising either of them reports fewer kinds.
  double leastShare = 0.25, leastPerFrame = 3;
  /// The largest share of the dimmer markers that may also be found in the negative. Raising it
  /// takes grain for markers.
  double decoyShare = 0.25;
  /// The threshold that is proposed must find at least `leastFound` and at most `mostFound` of the
  /// number of bright and dimmer markers together.
  double leastFound = 0.95, mostFound = 1.05;
  /// The share of detect.max_markers that may be used. If there are more markers,
  /// detect.max_markers is doubled.
  double fullShare = 0.75;
};

/// A dimmer kind of marker below the threshold, and the settings that find it.
struct Dimmer {
  double markers = 0;             ///< The mean number of dimmer markers in a frame.
  Remedy remedy;                  ///< A lower threshold, and a larger detect.max_markers if needed.
  MarkersByFrame markersByFrame;  ///< All markers that the settings of `remedy` find.
};

/// Returns markers below the automatic threshold that stand out clearly from the noise, are round,
/// have about the size of the markers above the threshold and about the same contrast as each
/// other. Empty if they are too few, if the negative has nearly as many, if the user has set the
/// threshold, or if the threshold belongs to another plane than the measured one. `frames`: the
/// number of frames to measure. `fullScale`: the largest value of a pixel.
std::optional<Dimmer> findDimmer(const Settings& settings, const Measure& measure, size_t frames,
                                 double fullScale, const DimmerOptions& options = {});

}  // namespace glint::study
