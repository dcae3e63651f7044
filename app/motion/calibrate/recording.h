// A recording of lights by several cameras, moment by moment.
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

namespace glint::motion {

struct Dot {
  /// Position, px. (0, 0) is the centre of the top-left pixel.
  Eigen::Vector2d at;
  /// Standard deviation along x and y, px, above 0.
  Eigen::Vector2d sigma;
};

/// The dots of one camera at a moment. There are none if the camera saw nothing or has no frame.
struct View {
  std::vector<Dot> dots;
  /// Time between the moment and this view, s (frames if there are no times). It is positive if the
  /// view is later.
  double delay = 0;
  /// Number of dots that are probably no lights of the target: see markStrays().
  size_t strays = 0;

  /// Returns the number of dots that may be lights of the target.
  size_t likely() const { return dots.size() - strays; }
};

struct Moment {
  /// Time of the moment, s, or the frame number if there are no times.
  double time = 0;
  /// One view for each camera.
  std::vector<View> views;
};

struct FrameExtent {
  /// Size of an image, px.
  int width = 0, height = 0;
};

struct LightRecording {
  /// One size for each camera.
  std::vector<FrameExtent> sizes;
  /// The moments, sorted by time.
  std::vector<Moment> moments;
  /// True if times are in seconds. Otherwise they are frame numbers.
  bool timed = false;
  /// True if the sigmas were given. Otherwise each is 1.
  bool sigmasKnown = false;
  /// The largest |delay| of all views, from matching by time.
  double worstDelay = 0;
};

}  // namespace glint::motion
