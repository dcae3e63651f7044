// The input of the tracker, and its output.
#pragma once

#include <cstdint>
#include <limits>

#include "config/numbers.h"

namespace glint::motion {

/// One marker measured in one frame of one camera.
struct Observation {
  double x = 0, y = 0;            ///< px; (0, 0) is the centre of the top-left pixel
  double sigmaX = 0, sigmaY = 0;  ///< px, standard deviation of x and y
  double peak = 0;                ///< response at the brightest pixel
  double mass = 0;                ///< response above background, summed
  double radius = 0;              ///< px
  double eccentricity = 0;        ///< 0 (round) to 1
  uint32_t flags = 0;
  /// If a template was sought: the rotation at which it fits best, in degrees from x towards y, and
  /// its scale; otherwise NaN.
  double angle = std::numeric_limits<double>::quiet_NaN();
  double scale = std::numeric_limits<double>::quiet_NaN();
  double score = std::numeric_limits<double>::quiet_NaN();  ///< quality of that fit, 0 to 1
};

enum class TrackState : uint8_t { measured, predicted };

/// The number and the time of a camera's frame, and the set of the session that it belongs to.
struct FrameTime {
  SetIndex set;
  FrameNumber frame;
  double time = 0;  ///< s, as the source says
};

/// One track in one frame.
struct TrackRow : FrameTime {
  TrackId track;
  TrackState state = TrackState::measured;
  double x = 0, y = 0;    ///< px: the measurement if there is one, otherwise the prediction
  double vx = 0, vy = 0;  ///< px/s, the estimate of the Kalman filters
  /// The measurement. If the row is predicted, the last measurement, with the standard deviations
  /// of the prediction.
  Observation seen;
};

}  // namespace glint::motion
