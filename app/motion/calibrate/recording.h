// What cameras saw of lights, moment by moment.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace glint::motion {

struct Dot {
  Eigen::Vector2d at;     ///< px, (0, 0) at the centre of the top-left pixel
  Eigen::Vector2d sigma;  ///< px, above 0
};

/// What one camera saw at a moment; without dots if it saw nothing or was not there.
struct View {
  std::vector<Dot> dots;
  double delay = 0;  ///< how much later than the moment it was taken, s (frames without times)
};

struct Moment {
  double time = 0;          ///< s; without times, the frame's number
  std::vector<View> views;  ///< a camera each
};

struct FrameExtent {
  int width = 0, height = 0;  ///< px
};

struct LightRecording {
  std::vector<FrameExtent> sizes;  ///< a camera each
  std::vector<Moment> moments;     ///< in the order of time
  bool timed = false;              ///< times are seconds
  bool sigmasKnown = false;        ///< else each sigma is 1
  double worstDelay = 0;           ///< the largest |delay| of matching by time
};

}  // namespace glint::motion
