// Signs that the threshold cuts off dimmer markers: many markers barely reach the threshold, or a
// lamp or glare raises it.
#pragma once

#include <cstddef>

#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::motion {

/// Limits beyond which the automatic threshold is doubted.
struct ThresholdDoubtOptions {
  /// A marker barely reaches the threshold if it exceeds it by less than this share of the marker's
  /// contrast. Raising it counts more markers. In a scene whose dots the threshold cuts, nine of
  /// ten dots are within this share. In other recordings at most 6 % of the markers are
  /// (docs/measurements/defaults.md).
  double barelyShare = 0.25;
  /// Minimum significance of such a marker, in standard deviations, so that noise does not count.
  /// Raising it counts fewer markers.
  double clearOfNoise = 30;
  /// Minimum area of a lamp, as a share of all pixels. Raising it ignores smaller lamps.
  double lampArea = 0.001;
  /// The automatic threshold follows the spread of all pixel values. This is the minimum share of
  /// that spread (their summed squared deviation) that the lamp must cause. Raising it ignores
  /// weaker lamps.
  double lampSpread = 0.5;
  /// Minimum share of the picture that is well above the background if there is glare. Raising it
  /// ignores smaller areas of glare.
  double glareArea = 0.02;
  /// Maximum share of that area that markers may cover. Raising it takes large markers for glare.
  double glareOfMarkers = 0.5;
  /// Minimum height of the threshold above the background, as a multiple of the height that the
  /// noise of the background calls for. Raising it ignores weaker glare.
  double glareHeight = 2;
};

/// Returns true if the threshold is automatic and applies to the plane in which markers are
/// measured.
bool thresholdIsOfMeasuredPlane(const Settings& settings);

/// Returns the number of markers that barely reach the automatic threshold although they are clear
/// of the noise. If markers of many brightnesses lie just above a level, about as many others lie
/// just below it. Returns 0 unless thresholdIsOfMeasuredPlane().
size_t countBarely(const gpu::LayerMeasurement& measured, const Settings& settings,
                   const ThresholdDoubtOptions& options = {});

/// Returns a marker that is so large and bright that it may raise the threshold above all other
/// markers: a lamp. Returns null if there is none, or unless thresholdIsOfMeasuredPlane().
const shared::Detection* lampOf(const gpu::LayerMeasurement& measured, const Settings& settings,
                                const ThresholdDoubtOptions& options = {});

/// Returns true if glare raises the threshold: areas that are well above the background, and that
/// are no markers. Returns false if a lamp raises it, or unless thresholdIsOfMeasuredPlane().
bool hasGlare(const gpu::LayerMeasurement& measured, const Settings& settings,
              const ThresholdDoubtOptions& options = {});

}  // namespace glint::motion
