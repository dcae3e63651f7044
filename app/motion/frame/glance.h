// A quick look at a frame's pixels, on the host, for signs that markers are missing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "config/settings.h"
#include "gpu/detect/detector.h"
#include "gpu/frame.h"

namespace glint::motion {

/// Signs that make a trial of other settings worthwhile.
struct Glance {
  /// Some markers may be of a dimmer kind that stays below the threshold.
  bool dimmer = false;
  /// Some markers may be two that detect.separation merges into one.
  bool paired = false;
};

/// Limits for the signs. A value without a stated source was chosen with the synthetic recordings
/// of tests/cli/likeness_test.py, which imitate real ones.
struct GlanceOptions {
  /// Maximum number of pixels to read. Raising it finds rarer signs but takes longer.
  size_t pixels = 300'000;
  /// Height of each band of rows that is read, px. The bands are spread evenly over the picture.
  uint32_t bandRows = 48;
  /// Minimum height of a dim peak above the ground, as a multiple of the noise. Raising it misses
  /// fainter markers.
  double clearOfNoise = 5;
  /// Distance from a dim peak, in median marker radii, at which the brightness must have dropped
  /// below half of the peak's height. Raising it accepts wider peaks.
  double lostAt = 1.7;
  /// The number of sides, out of left, right, up and down, on which the brightness must have
  /// dropped. With 3, one side may have a neighbour.
  int sides = 3;
  /// Radius around a marker, in marker radii, within which every peak counts as part of the marker.
  /// Raising it ignores more of the surroundings.
  double ownReach = 2.5;
  /// Minimum number of dim peaks that count as a kind of their own. Both limits apply: a share of
  /// the markers found, and an absolute number.
  double dimmerShare = 0.125, leastDimmer = 2;
  /// Maximum number of peaks in the negative of the picture, as a share of the dim peaks. A texture
  /// has about as many dark peaks as bright ones.
  double decoyShare = 0.5;
  /// Maximum ratio between the 90 % and the 10 % quantile of the dim peaks' heights. Markers of one
  /// kind have similar heights.
  double heightRatio = 3;
  /// Minimum number of markers with a second peak beside them, as a share of the markers.
  double pairedShare = 0.01;
  /// Minimum height of the second peak, as a share of the marker's height.
  double secondHeight = 0.1;
  /// Minimum depth of the dip between the two peaks. Both limits apply: a multiple of the noise,
  /// and a share of the second peak's height.
  double dipNoise = 4, dipShare = 0.1;
};

/// Searches bands of the picture for signs that markers are missing. The sign `dimmer` means: there
/// are peaks below the threshold that stand clear of the noise, are isolated, are no part of a
/// marker, and are more frequent than peaks in the negative of the picture. The sign `paired`
/// means: beside a marker, nearer than detect.separation, there is another peak above the threshold
/// with a dip between the two. Returns no signs unless thresholdIsOfMeasuredPlane(). `neutral` says
/// that the picture is grey, so that reading one channel is enough.
Glance glanceAt(const gpu::ImageView& image, bool neutral, const gpu::LayerMeasurement& measured,
                const Settings& settings, const GlanceOptions& options = {});

}  // namespace glint::motion
