// Finds the offsets and drifts of the clocks of cameras that were started separately, from the
// motion of the lights that they saw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/motion/calibrate/points_table.h"
#include "app/motion/calibrate/target.h"
#include "app/motion/geometry/rig.h"
#include "app/motion/sync/sync_options.h"

namespace glint::motion {

/// The clock of a camera: (1 + drift) * (its own time) + offset is the time on the clock that is
/// common to all cameras, s.
struct CameraClock {
  double offset = 0, drift = 0;
  /// Standard deviations of the offset, s, in the middle of the time that was compared, and of the
  /// drift. They are 0 for the camera with which the others were compared.
  double sigma = 0, driftSigma = 0;

  double timeOf(double own) const { return (1 + drift) * own + offset; }
};

/// Finds the clocks of all cameras of a table with times. Without `rig`, `target` says what moved.
/// If it is missing, one light or a wand of two is assumed, as the number of dots suggests. Camera
/// N of the rig is camera N of the table. The common clock is 0 when the clock of the first camera
/// that was started is 0.
///
/// For two cameras, offsets are proposed by the correlation of the dots' speeds, or with a rig by
/// trying all. Each is judged by how far dots of one camera are from epipolar lines of the other,
/// whose dots are interpolated between frames. Without a rig, one half of the overlap judges the
/// geometry that was found in the other half. Then offset, drift and geometry are fitted together.
/// Standard deviations allow for errors that all dots of a second share, such as those of the lens.
///
/// If the recordings do not show the clocks beyond doubt, throws an Error that says why.
std::vector<CameraClock> findClocks(const PointTable& table, const std::vector<FrameExtent>& sizes,
                                    const Rig* rig, const std::optional<Target>& target,
                                    const SyncOptions& options = {});

}  // namespace glint::motion
