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
  bool dimmer = false;  ///< markers of a dimmer kind, below the threshold
  bool paired = false;  ///< markers that detect.separation takes for one
};

/// Limits for the signs. If no source is given, a value was chosen with the likenesses of
/// tests/cli/likeness_test.py.
struct GlanceOptions {
  /// Pixels that are read at most. Raising it sees rarer signs, and takes longer.
  size_t pixels = 300'000;
  /// Rows in each of the bands that are read, spread over the picture.
  uint32_t bandRows = 48;
  /// Height of a dim peak above the ground, as a multiple of the noise. Raising it misses fainter
  /// markers.
  double clearOfNoise = 5;
  /// Distance from a dim peak, in radii of the markers, at which half of its height must be lost on
  /// `sides` of the four sides. One side may have a neighbour.
  double lostAt = 1.7;
  int sides = 3;
  /// Distance from a marker, in radii, within which everything belongs to it.
  double ownReach = 2.5;
  /// Dim peaks that make a kind of their own: a share of the markers, and at least so many.
  double dimmerShare = 0.125, leastDimmer = 2;
  /// Peaks of the negative that are allowed, as a share of the dim peaks. A texture has as many.
  double decoyShare = 0.5;
  /// Largest ratio between the heights of dim peaks, leaving out a tenth at either end.
  double heightRatio = 3;
  /// Markers with a second peak beside them, as a share of the markers.
  double pairedShare = 0.01;
  /// Height of the second peak, as a share of the marker's.
  double secondHeight = 0.1;
  /// Depth of the dip between the two: a multiple of the noise, and a share of the second height.
  double dipNoise = 4, dipShare = 0.1;
};

/// Looks for signs in bands of the picture. Dimmer: peaks below the threshold and apart from the
/// markers that are clear of the noise, alone, and more than in the negative. Paired: beside a
/// marker, nearer than detect.separation, another peak above the threshold, with a dip between
/// them. Returns no signs unless thresholdIsOfMeasuredPlane(). `neutral`: the picture is grey, so
/// that one channel says all.
Glance glanceAt(const gpu::ImageView& image, bool neutral, const gpu::LayerMeasurement& measured,
                const Settings& settings, const GlanceOptions& options = {});

}  // namespace glint::motion
