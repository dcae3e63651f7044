// The time base of one camera: irregular frame times made safe to compute with.
#pragma once

#include <array>
#include <cstddef>

#include "config/numbers.h"

namespace glint {

/// Turns a source's frame times into a clock that always advances, and knows the usual interval.
class FrameClock {
 public:
  /// Takes the next frame, whose number is greater than the last one's. A time that does not
  /// advance, or is no number, counts as usual intervals since the last frame. Returns the seconds
  /// since then; 0 for the first frame.
  double advance(FrameNumber frame, double time);

  /// s since the first frame.
  double now() const { return now_; }

  /// s, median time per frame of the last 15 steps; 1 until two frames with times have been seen.
  double interval() const { return interval_; }

 private:
  void remember(double perFrame);

  std::array<double, 15> recent_{};
  size_t seen_ = 0;
  bool started_ = false;
  FrameNumber frame_;
  double time_ = 0;
  double now_ = 0;
  double interval_ = 1;
};

}  // namespace glint
