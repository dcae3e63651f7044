// The origin and the axes of the world of a calibrated rig.
#pragma once

#include <optional>
#include <string>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// The choice of the world's origin and of the axis that points up.
struct Placing {
  enum class Origin { camera, wand, board, markers };
  Origin origin = Origin::camera;
  /// Frame number for Origin::markers.
  long frame = 0;
  /// The axis that points up, 'z' or 'y'. If empty it is z, except for Origin::camera, whose axes
  /// are then those of the camera.
  std::optional<char> up = {};
};

/// Parses `origin` ("camera", "wand", "board" or "markers:FRAME") and `up` ("", "z" or "y"). Throws
/// UsageError.
Placing parsePlacing(const std::string& origin, const std::string& up);

/// Throws UsageError if that target cannot define that origin.
void checkPlacing(const Placing& placing, const Target& target);

/// Returns the transform from the first camera's frame, which the calibration uses, to the chosen
/// world. `moment` is the index of the frame's moment for Origin::markers. Origin::wand needs a
/// target of three lights. Throws Error if the object that defines the origin is not seen. The
/// origins are:
///   camera   the first camera; with `up`, its axes are turned as if it stood level
///   wand     the end nearer to the middle light of a wand of three lights, which must rest during
///            the last second of the recording; x points to the other end, and up is the cameras'
///            up, made perpendicular to x
///   board    the board's first corner where it was first seen; x runs along a row, and up is on
///            the side of the cameras
///   markers  the corner of three markers that form a right angle; x runs along the longer side,
///            and up is on the side of the cameras
Pose worldOf(const Calibration& calibration, const LightRecording& recording, const Target& target,
             const Placing& placing, std::optional<size_t> moment);

}  // namespace glint::motion
