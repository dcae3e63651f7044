// Detects a camera that was moved during a calibration.
#pragma once

#include <vector>

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// A camera that was moved, and how.
struct Move {
  size_t camera = 0;
  /// The first moment after the move.
  size_t moment = 0;
  /// All cameras, as they fit with the move. The moved one has its pose before the move. The last
  /// one is its place after the move.
  std::vector<BundleCamera> cameras;
};

/// Returns moves that explain the residuals of a camera by two poses much better than by one, and
/// by more than chance: at most one for each camera, the likeliest first. The other cameras share
/// the lights of a camera that moved, so their residuals show some of the move, too. The moves are
/// found with one step from the fitted rig with the lights held. Then each is judged and measured
/// by a fit in which the camera has two places, which also corrects the time of the move. If many
/// dots of a camera are missing in a part of the recording, dots that are too far off to count as
/// lights are included: a move of many pixels would explain them.
std::vector<Move> findMoves(const Bundle& bundle, const LightRecording& recording,
                            const Target& target);

/// Returns the moment that divides a recording best. `better` says for each moment how much better
/// it belongs to the time after the division than to that before.
size_t bestDivisionOf(const std::vector<double>& better);

/// Returns the rms shift of the lights in a camera's image between its first place, `camera`, and
/// its other place, `later`, px.
double shiftBetween(const Bundle& bundle, size_t camera, size_t later);

}  // namespace glint::motion
