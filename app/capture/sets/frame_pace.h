// How regularly a camera takes its frames. Internal to capture/.
#pragma once

#include <cstdint>
#include <deque>

namespace glint::capture {

/// Rate and jitter by the frames' own times and numbers, whether the frames came or not: n frames
/// that were skipped make n + 1 intervals of what lies between two times.
class FramePace {
 public:
  struct Pace {
    double rate = 0;    ///< frames/s; 0: not known
    double jitter = 0;  ///< s, standard deviation of the intervals
  };

  /// The camera was away: the next frame follows none.
  void interrupt() { any_ = false; }

  /// A frame of the time `time`, s, before which `skipped` never came.
  void see(double time, uint64_t skipped);

  Pace latest() const;  ///< of the last 2 s, and 64 intervals at most
  Pace overall() const { return all_.pace(); }

 private:
  struct Sums {
    double intervals = 0, seconds = 0, squares = 0;
    void add(double interval, double count);
    Pace pace() const;
  };
  struct Interval {
    double seconds, count;  ///< each is so long, and so many there are
  };
  bool any_ = false;
  double time_ = 0;  ///< of the latest frame
  std::deque<Interval> window_;
  double windowSeconds_ = 0;
  Sums all_;
};

}  // namespace glint::capture
