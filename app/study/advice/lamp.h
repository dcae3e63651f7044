// A lamp in the picture that hides dimmer markers.
#pragma once

#include <optional>
#include <string>

#include "app/study/advice/frame_sample.h"
#include "app/study/advice/remedy.h"
#include "config/settings.h"

namespace glint::study {

/// A large bright marker that raises the automatic threshold, so that dimmer markers are not found.
struct Lamp {
  double x = 0, y = 0, radius = 0;  ///< px
  /// A square around the lamp, in the form of detect.ignore: "x,y,width,height".
  std::string rectangle;
  double hides = 0;  ///< The number of markers per frame that are found only without the lamp.

  /// Returns the change of settings that leaves the lamp out of the measurement.
  Remedy remedy() const { return {.ignore = rectangle}; }
};

/// Options that determine when a lamp is reported. The values were chosen with the likenesses of
/// tests/cli/likeness_test.py.
struct LampOptions {
  /// The least number of markers per frame that the lamp must hide. Raising it reports fewer lamps.
  double leastHidden = 3;
  /// Half the width of the square to ignore, as a multiple of the radius of the lamp. Raising it
  /// covers more of the glow around the lamp, and more markers.
  double reach = 2;
};

/// Measures the frames with and without the lamp of the first frame (see lampOf()). Returns the
/// lamp if it hides enough markers. Throws as FrameSample::measure().
std::optional<Lamp> findLamp(FrameSample& sample, const Settings& settings,
                             const LampOptions& options = {});

}  // namespace glint::study
