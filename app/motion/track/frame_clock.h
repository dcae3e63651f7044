// The clock of a camera. It converts irregular frame times into times that always increase.
#pragma once

#include <array>
#include <cstddef>

#include "config/numbers.h"

namespace glint::motion {

/// Converts the frame times of a source into a clock that always increases, and measures the usual
/// interval between frames.
class FrameClock {
 public:
  /// Number of steps between frames from which the usual interval is taken. Raising it follows a
  /// change of the frame rate more slowly. Choice: 15 steps are half a second at 30 frames per
  /// second.
  static constexpr size_t kSteps = 15;

  /// Advances to the next frame and returns the seconds since the last one, or 0 for the first. The
  /// frame's number must be greater than the last one's. If its time is not later, or is not
  /// finite, the clock advances by the usual interval for each frame number instead.
  double advance(FrameNumber frame, double time);

  /// Returns the time since the first frame, s.
  double now() const { return now_; }

  /// Returns the usual interval between frames, s: the median over the last `kSteps` steps. It is 1
  /// until two frames with valid times have been seen.
  double interval() const { return interval_; }

 private:
  void remember(double perFrame);

  // Seconds per frame, in a ring buffer.
  std::array<double, kSteps> recent_{};
  // Number of steps so far.
  size_t seen_ = 0;
  bool started_ = false;
  // Number of the last frame.
  FrameNumber frame_;
  // Time of the last frame according to its source, s.
  double time_ = 0;
  double now_ = 0;
  double interval_ = 1;
};

}  // namespace glint::motion
