// What the tracker is given, and what it gives back.
#pragma once

#include <cstdint>
#include <limits>

#include "config/numbers.h"

namespace glint {

/// One marker measured in one frame of one camera.
struct Observation {
  double x = 0, y = 0;            ///< px; (0, 0) is the centre of the top-left pixel
  double sigmaX = 0, sigmaY = 0;  ///< px, standard deviation of x and y
  double peak = 0;                ///< response at the brightest pixel
  double mass = 0;                ///< response above background, summed
  double radius = 0;              ///< px
  double eccentricity = 0;        ///< 0 (round) to 1
  uint32_t flags = 0;
  /// How a picture that is sought fits best there: degrees from x towards y, and its scale; NaN
  /// where none does.
  double angle = std::numeric_limits<double>::quiet_NaN();
  double scale = std::numeric_limits<double>::quiet_NaN();
  double score = std::numeric_limits<double>::quiet_NaN();  ///< how well, 0 to 1
};

enum class TrackState : uint8_t { measured, predicted };

/// Which frame of a camera, in which set of the session, and when.
struct FrameTime {
  SetIndex set;
  FrameNumber frame;
  double time = 0;  ///< s, as its source says
};

/// One track in one frame.
struct TrackRow : FrameTime {
  TrackId track;
  TrackState state = TrackState::measured;
  double x = 0, y = 0;    ///< px: the measurement where there is one, otherwise the prediction
  double vx = 0, vy = 0;  ///< px/s, the filter's estimate
  Observation
      seen;  ///< the measurement; when predicted the last one, with sigmas of the prediction
};

}  // namespace glint
