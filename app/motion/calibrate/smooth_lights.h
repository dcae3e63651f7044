// Finds dots that move smoothly from moment to moment, as lights in a hand do.
#pragma once

#include <array>
#include <optional>

#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Decides which dots move smoothly. A dot does if it and two dots of neighbouring moments lie
/// nearly on a line, at distances like those of their times.
struct SmoothLightOptions {
  /// Distance of the middle dot of three from where the other two predict it, as a share of the
  /// image's diagonal. The hand's acceleration of some 10 m/s^2 gives 0.0003 at 50 frames per
  /// second and 0.03 at 5. The first value that keeps enough dots is used. Raising a value keeps
  /// more dots that are no lights.
  std::array<double, 3> deviations{0.002, 0.008, 0.03};
  /// Distance between dots of neighbouring moments, in multiples of the deviation. Raising it keeps
  /// faster lights, and more dots that are no lights.
  double reach = 20;
  /// Minimum share of a camera's views of the whole target that must be left. Raising it falls back
  /// to all dots more often.
  double leastLeft = 0.3;
  /// Share of a recording's views that must have more dots than the target has lights before
  /// anything is removed. Raising it leaves slightly cluttered recordings as they are.
  double cluttered = 0.1;
};

/// Returns the recording without dots that do not move smoothly. These are reflections and noise,
/// among which a target is hard to find while cameras are unknown. Returns nothing if there are
/// few such dots, or if the target itself does not move smoothly enough to tell it from them.
std::optional<LightRecording> smoothLights(const LightRecording& recording, const Target& target,
                                           const SmoothLightOptions& options = {});

/// Sets View::strays to the number of dots that smoothLights() would remove, if it removes any.
void markStrays(LightRecording& recording, const Target& target,
                const SmoothLightOptions& options = {});

}  // namespace glint::motion
