// A look at a frame's pixels, on the host, for signs that markers are missing.
#pragma once

#include "config/settings.h"
#include "gpu/detect/detector.h"
#include "gpu/frame.h"

namespace glint {

/// What may be worth a trial of other settings.
struct Glance {
  bool dimmer = false;  ///< markers of a dimmer kind, below the threshold
  bool paired = false;  ///< markers that detect.separation takes for one
};

/// Signs only, and quickly: 300,000 pixels at most are read, in bands over the picture. Dimmer:
/// apart from the markers, peaks below the threshold that are clear of the noise and alone, an
/// eighth as many as the markers or more, and twice as many as in the negative. Paired: beside a
/// marker, nearer than detect.separation, another peak above the threshold and a dip between them.
/// Nothing where the threshold is set or of another plane than the measured one.
Glance glanceAt(const ImageView& image, bool neutral, const LayerMeasurement& measured,
                const Settings& settings);

}  // namespace glint
