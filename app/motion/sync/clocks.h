// Finds how the clocks of cameras that were started separately belong together, from the motion of
// the lights that they saw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/motion/calibrate/points_table.h"
#include "app/motion/calibrate/target.h"
#include "app/motion/geometry/rig.h"
#include "app/motion/sync/sync_options.h"

namespace glint::motion {

/// The clock of a camera: (1 + drift) * (its own time) + offset is the time of all cameras, s.
struct CameraClock {
  double offset = 0, drift = 0;
  /// Standard deviations of the offset, s, in the middle of what was compared, and of the drift.
  /// They are 0 for the camera whose clock is the clock of all.
  double sigma = 0, driftSigma = 0;

  double timeOf(double own) const { return (1 + drift) * own + offset; }
};

/// Finds the clocks of all cameras of a table with times. Without `rig`, `target` says what moved.
/// If it is missing, one light or a wand of two is assumed, as the number of dots suggests. Camera
/// N of the rig is camera N of the table. The earliest time 0 of a camera is the time 0 of all.
///
/// For two cameras, offsets are proposed by the correlation of the dots' speeds, or with a rig by
/// trying all. Each is judged by how far dots of one camera are from epipolar lines of the other,
/// whose dots are interpolated between frames. Without a rig, one half of the overlap judges the
/// geometry that was found in the other half. Then offset, drift and geometry are fitted together.
/// Standard deviations allow for errors that seconds have in common, such as those of the lens.
///
/// Throws Error that says why if the recordings do not show the clocks beyond doubt.
std::vector<CameraClock> findClocks(const PointTable& table, const std::vector<FrameExtent>& sizes,
                                    const Rig* rig, const std::optional<Target>& target,
                                    const SyncOptions& options = {});

}  // namespace glint::motion
