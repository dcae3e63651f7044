// The clock of one camera, which turns irregular frame times into times that are safe to calculate
// with.
#pragma once

#include <array>
#include <cstddef>

#include "config/numbers.h"

namespace glint::motion {

/// Turns the frame times of a source into a clock that always advances, and measures the usual
/// interval between frames.
class FrameClock {
 public:
  /// Steps between frames from which the usual interval is taken. With more of them the interval
  /// would follow a change of the frame rate more slowly; 15 (a choice) are half a second at 30
  /// frames a second.
  static constexpr size_t kSteps = 15;

  /// Takes the next frame and returns the seconds since the last one, or 0 for the first. Its
  /// number must be greater than the last one's. If its time does not advance, or is no number, the
  /// clock advances by the usual interval for each frame number instead.
  double advance(FrameNumber frame, double time);

  /// Time since the first frame, s.
  double now() const { return now_; }

  /// The usual interval between frames, s: the median over the last `kSteps` steps. It is 1 until
  /// two frames with times have been seen.
  double interval() const { return interval_; }

 private:
  void remember(double perFrame);

  std::array<double, kSteps> recent_{};  // s per frame, a ring
  size_t seen_ = 0;                      // steps so far
  bool started_ = false;
  FrameNumber frame_;  // of the last frame
  double time_ = 0;    // s, of the last frame, as its source says
  double now_ = 0;
  double interval_ = 1;
};

}  // namespace glint::motion
