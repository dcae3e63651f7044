// Glare in the picture that hides dimmer markers.
#pragma once

#include <optional>

#include "app/study/advice/cut.h"
#include "app/study/advice/frame_sample.h"
#include "config/settings.h"

namespace glint::study {

/// Bright areas that are no markers, and that raise the automatic threshold above dimmer markers.
struct Glare {
  double hides = 0;  ///< The number of markers per frame that are found only without the glare.
};

/// Options that determine when glare is reported. The values were chosen with the likenesses of
/// tests/cli/likeness_test.py.
struct GlareOptions {
  /// The least number of markers per frame that the glare must hide, and the least ratio between
  /// the numbers of markers without and with it. Raising either reports glare less often.
  double leastHidden = 3, worthwhile = 1.25;
  /// The strongest decoy is assumed to have at least this contrast, in counts. Raising it takes
  /// faint markers for noise.
  double decoyFloor = 8;
  CutOptions cut;
};

/// Measures the frames with the threshold that the background of the first frame calls for, and
/// compares the markers with those in the negative of the pictures (see cutOf()). Returns nothing
/// if there is no glare (see hasGlare()), or if it does not hide enough markers. Throws as
/// FrameSample::measure().
std::optional<Glare> findGlare(FrameSample& sample, const Settings& settings,
                               const GlareOptions& options = {});

}  // namespace glint::study
