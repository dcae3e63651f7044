// A lamp in the picture that hides dimmer markers.
#pragma once

#include <optional>
#include <string>

#include "app/probe/look.h"
#include "config/settings.h"

namespace glint {

/// A large bright marker, beside which the automatic threshold is above dimmer ones.
struct Lamp {
  double x = 0, y = 0, radius = 0;  ///< px
  /// About it, twice as wide and high, as detect.ignore has rectangles: "x,y,width,height".
  std::string rectangle;
  double hides = 0;  ///< markers a frame, which are found without it
};

/// The lamp of the first frame, after trying without it; nothing where there is none (see
/// lampOf()), or it hides fewer than three markers a frame. Throws as FrameSample::measure().
std::optional<Lamp> findLamp(FrameSample& sample, const Settings& settings);

/// So that the lamp is no longer measured.
void ignoreLamp(const Lamp& lamp, Settings& settings);

}  // namespace glint
