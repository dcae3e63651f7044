// Simulates cameras that were started separately: each has a clock of its own. What moves starts,
// stops and is struck.
#pragma once

#include <vector>

#include "app/motion/calibrate/points_table.h"
#include "app/motion/geometry/rig.h"
#include "app/motion/sync/clocks.h"

namespace glint::test {

/// The clock and the frames of one camera.
struct SeparateCamera {
  double rate = 60;     ///< frames/s, on its own clock
  double begin = 0;     ///< s: true time of its frame 0
  double drift = 0;     ///< (1 + drift) * own time + begin is the true time
  double seconds = 60;  ///< length of the recording
};

struct Separate {
  std::vector<SeparateCamera> cameras;
  size_t lights = 2;       ///< 1, 2 for a wand of 500 mm, or more lights that move by themselves
  double sigma = 0.1;      ///< noise of each coordinate, px
  double missing = 0.1;    ///< share of lights that are not seen
  double period = 0;       ///< s: after this time the motion repeats; 0: never
  bool still = false;      ///< nothing moves
  bool strangers = false;  ///< each camera sees another motion
  unsigned seed = 1;
};

struct SeparateRecording {
  motion::Rig truth;
  std::vector<motion::FrameExtent> sizes;
  motion::PointTable table;
};

SeparateRecording recordSeparately(const Separate& separate);

/// Returns the largest error of the clocks, s: how far moments of any two cameras that are taken
/// for one really are apart, over the time that both recorded.
double clockError(const Separate& separate, const std::vector<motion::CameraClock>& clocks);

}  // namespace glint::test
