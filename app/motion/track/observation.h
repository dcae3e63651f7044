// Input and output of the tracker.
#pragma once

#include <cstdint>
#include <limits>

#include "config/numbers.h"

namespace glint::motion {

/// One marker measured in one frame of one camera.
struct Observation {
  /// Position, px. (0, 0) is the centre of the top-left pixel.
  double x = 0, y = 0;
  /// Standard deviations of x and y, px.
  double sigmaX = 0, sigmaY = 0;
  /// Response at the brightest pixel.
  double peak = 0;
  /// Sum of the response above the background.
  double mass = 0;
  double radius = 0;  ///< px
  /// Eccentricity, 0 (round) to 1.
  double eccentricity = 0;
  uint32_t flags = 0;
  /// Rotation at which a template fits best, in degrees from x towards y, and its scale there. NaN
  /// if no template is searched for.
  double angle = std::numeric_limits<double>::quiet_NaN();
  double scale = std::numeric_limits<double>::quiet_NaN();
  /// Quality of that fit, 0 to 1.
  double score = std::numeric_limits<double>::quiet_NaN();
};

enum class TrackState : uint8_t { measured, predicted };

/// The number and the time of a camera's frame, and the set of the session that it belongs to.
struct FrameTime {
  SetIndex set;
  FrameNumber frame;
  /// Time according to the source, s.
  double time = 0;
};

/// One track in one frame.
struct TrackRow : FrameTime {
  TrackId track;
  TrackState state = TrackState::measured;
  /// The measurement if there is one, otherwise the prediction, px.
  double x = 0, y = 0;
  /// Estimate of the Kalman filters, px/s.
  double vx = 0, vy = 0;
  /// The measurement. In a predicted row, the last measurement with the standard deviations of the
  /// prediction.
  Observation seen;
};

}  // namespace glint::motion
