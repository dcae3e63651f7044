// Where the world's origin lies, and which way is up.
#pragma once

#include <optional>
#include <string>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

struct Placing {
  enum class Origin { camera, wand, board, markers };
  Origin origin = Origin::camera;
  long frame = 0;               ///< of Origin::markers
  std::optional<char> up = {};  ///< 'z' or 'y'; empty: z, or of a camera as it stands
};

/// Reads "camera", "wand", "board" or "markers:FRAME", and "", "z" or "y". Throws UsageError.
Placing parsePlacing(const std::string& origin, const std::string& up);

/// Throws UsageError where what was moved cannot give that origin.
void checkPlacing(const Placing& placing, const Target& target);

/// From the first camera's frame, in which the calibration is, to the world that is asked for.
/// `moment`: that of the frame, for Origin::markers; Origin::wand needs a target of three lights.
/// Throws Error where what gives the origin is not to be seen.
///   camera   the first one; with `up` its own, as if it stood level
///   wand     of three lights, at rest in the recording's last second: the end beside its middle
///            light, x to the other end; up as most cameras have it, at right angles to x
///   board    where it was first seen: its first corner, x along a row; up on the cameras' side
///   markers  three at a right angle: its corner, x along the longer side; up on the cameras' side
Pose worldOf(const Calibration& calibration, const LightRecording& recording, const Target& target,
             const Placing& placing, std::optional<size_t> moment);

}  // namespace glint::motion
