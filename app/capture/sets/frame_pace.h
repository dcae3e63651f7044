// Measures how regularly a camera takes its frames. Internal to capture/.
#pragma once

#include <cstdint>
#include <deque>

namespace glint::capture {

/// Measures rate and jitter from the frames' own times and numbers, so that frames that did not
/// arrive count, too: if n frames are missing between two others, the time between these is divided
/// into n + 1 intervals.
class FramePace {
 public:
  struct Pace {
    double rate = 0;    ///< frames/s; 0: not known
    double jitter = 0;  ///< s: standard deviation of the intervals
  };

  /// Notes that the camera was away: no interval ends at the next frame.
  void interrupt() { any_ = false; }

  /// Adds a frame with the time `time`, s, before which `skipped` frames did not arrive.
  void see(double time, uint64_t skipped);

  Pace latest() const;  ///< returns the pace of the last 2 s, and at most of 64 intervals
  Pace overall() const { return all_.pace(); }

 private:
  struct Sums {
    double intervals = 0, seconds = 0, squares = 0;
    void add(double interval, double count);
    Pace pace() const;
  };
  struct Interval {
    double seconds, count;  ///< length of each of several equal intervals, and their number
  };
  bool any_ = false;
  double time_ = 0;  ///< s: time of the latest frame
  std::deque<Interval> window_;
  double windowSeconds_ = 0;
  Sums all_;
};

}  // namespace glint::capture
