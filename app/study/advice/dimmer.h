// Markers of another, dimmer kind that the automatic threshold leaves out.
#pragma once

#include <optional>

#include "app/study/advice/markers_by_frame.h"
#include "app/study/advice/remedy.h"
#include "config/settings.h"

namespace glint::study {

/// Limits for a dimmer kind of marker. The values were chosen with the likenesses of
/// tests/cli/likeness_test.py; shares are of the markers above the threshold, unless said
/// otherwise.
struct DimmerOptions {
  /// The search goes down to this many standard deviations above the mean response.
  double thresholdSigma = 1.5;
  /// Significance (standard deviations) that a dimmer marker must have. Lowering it finds noise.
  double significance = 30;
  /// Largest ratio of a dimmer marker's radius to the median radius, or the other way round.
  double sizeRatio = 1.5;
  /// Largest ratio between the contrasts of dimmer markers, leaving out a tenth at either end.
  /// What differs more is texture rather than a kind of marker.
  double contrastRatio = 2;
  /// Dimmer markers are a kind of their own if there are so many: a share, and at least so many a
  /// frame.
  double leastShare = 0.25, leastPerFrame = 3;
  /// Share of the dimmer markers that the negative may have.
  double decoyShare = 0.25;
  /// The threshold that is proposed must find at least and at most this share of all markers,
  /// bright and dimmer ones together.
  double leastFound = 0.95, mostFound = 1.05;
  /// Share of detect.max_markers that may be used. With more markers its value is doubled.
  double fullShare = 0.75;
};

/// The markers that are left out, and what finds them.
struct Dimmer {
  double markers = 0;             ///< a frame
  Remedy remedy;                  ///< a threshold, and room for more markers if needed
  MarkersByFrame markersByFrame;  ///< found with the remedy, in each frame
};

/// Returns markers below the automatic threshold that are clear of the noise, round, of the size of
/// those above it and as bright as each other. Empty if there are too few of them, as many in the
/// negative, or if the threshold is set by the user or belongs to another plane than the measured
/// one. `fullScale`: the largest value of a pixel.
std::optional<Dimmer> findDimmer(const Settings& settings, const Measure& measure, size_t frames,
                                 double fullScale, const DimmerOptions& options = {});

}  // namespace glint::study
