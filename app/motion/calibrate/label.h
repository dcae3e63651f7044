// Finds which dot shows which light of the target, once cameras are known.
#pragma once

#include <optional>
#include <vector>

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// Maximum errors for dots and wand lengths to be accepted.
struct Gates {
  /// Distance between a dot and the projected light, px.
  double pixels = 6;
  /// Error of the wand's length, as a share of it.
  double length = 0.06;
};

/// A dot of a camera that shows a light: indices of the camera, of the light in the target, and of
/// the dot in its view.
struct LabelledDot {
  size_t camera = 0, light = 0, dot = 0;
};

/// The target at one moment. Each of its ends is seen by at least two cameras.
struct Labelled {
  std::vector<Eigen::Vector3d> ends;
  std::vector<LabelledDot> dots;
};

/// Returns the position of the target that explains most dots at a moment. Of equally good ones, it
/// returns the one with the smallest residuals. `placed` has a value for each camera of the rig;
/// only those with true are used. Returns nothing if there is no such position.
std::optional<Labelled> labelMoment(const Rig& rig, const std::vector<bool>& placed,
                                    const Moment& moment, const Target& target, const Gates& gates);

/// Labels the moments `which`, and replaces the items and sights of `bundle` by the result. The
/// bundle's cameras must be known.
void labelAll(Bundle& bundle, const std::vector<bool>& placed, const LightRecording& recording,
              const std::vector<size_t>& which, const Target& target, const Gates& gates);

/// Returns the cameras of a bundle as a rig.
Rig rigOf(const Bundle& bundle, const LightRecording& recording);

}  // namespace glint::motion
