// Which dot is which light, once cameras are known.
#pragma once

#include <optional>
#include <vector>

#include "app/motion/calibrate/bundle.h"
#include "app/motion/calibrate/recording.h"
#include "app/motion/calibrate/target.h"

namespace glint::motion {

/// How far dots and lengths may be off to count.
struct Gates {
  double pixels = 6;
  double length = 0.06;  ///< of the wand's
};

struct LabelledDot {
  size_t camera = 0, light = 0, dot = 0;
};

/// The target at a moment; its ends are each seen by two cameras or more.
struct Labelled {
  std::vector<Eigen::Vector3d> ends;
  std::vector<LabelledDot> dots;
};

/// The target's place that explains most dots; among equals, the closest one. `placed`: which
/// cameras of the rig count. Empty where there is none.
std::optional<Labelled> labelMoment(const Rig& rig, const std::vector<bool>& placed,
                                    const Moment& moment, const Target& target, const Gates& gates);

/// The moments of `which` labelled, as items and sights of a bundle, which has the cameras.
void labelAll(Bundle& bundle, const std::vector<bool>& placed, const LightRecording& recording,
              const std::vector<size_t>& which, const Target& target, const Gates& gates);

/// The cameras of a bundle as a rig.
Rig rigOf(const Bundle& bundle, const LightRecording& recording);

}  // namespace glint::motion
