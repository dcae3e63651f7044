// Signs that the threshold cuts dimmer markers off: the markers barely reach it, or a lamp raises
// it.
#pragma once

#include <cstddef>

#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::motion {

/// When the automatic threshold is doubted.
struct ThresholdDoubtOptions {
  /// A marker barely reaches the threshold if it is above it by less than this share of its
  /// contrast. Raising it counts more markers. Nine of ten dots in a scene that the threshold cuts
  /// are within this share; in other recordings 6 % of the markers at most
  /// (docs/measurements/defaults.md).
  double barelyShare = 0.25;
  /// Significance (standard deviations) that such a marker must have, so that noise does not count.
  double clearOfNoise = 30;
  /// Least area of a lamp, as a share of the pixels.
  double lampArea = 0.001;
  /// Least share of the spread of all pixels, which the automatic threshold follows, that the lamp
  /// must make up.
  double lampSpread = 0.5;
};

/// True if the threshold is automatic, and belongs to the plane that markers are measured in.
bool thresholdIsOfMeasuredPlane(const Settings& settings);

/// Returns how many markers barely reach the automatic threshold although they are clear of the
/// noise. Markers of many brightnesses that are just above a level have as many others just below
/// it. Returns 0 unless thresholdIsOfMeasuredPlane().
size_t countBarely(const gpu::LayerMeasurement& measured, const Settings& settings,
                   const ThresholdDoubtOptions& options = {});

/// Returns the marker that is so large and bright that the threshold may be above all others: a
/// lamp. Null if there is none, and unless thresholdIsOfMeasuredPlane().
const shared::Detection* lampOf(const gpu::LayerMeasurement& measured, const Settings& settings,
                                const ThresholdDoubtOptions& options = {});

}  // namespace glint::motion
