// The rates of cameras, processing and display, and the delay of results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace glint::shell {

/// The number of events a second during the last seconds. One thread. Times are those of a clock
/// that never goes back.
class RateMeter {
 public:
  /// `window` is the time over which events are counted, s.
  explicit RateMeter(double window = 2) : window_(window) {}

  /// Notes that `count` events have happened in all until `seconds`. A smaller count than before
  /// starts again.
  void update(double seconds, uint64_t count);
  /// Notes one more event.
  void event(double seconds) { update(seconds, last_ + 1); }

  /// Returns the events a second at `seconds`; 0 if nothing has happened during the window.
  double rate(double seconds) const;

 private:
  struct Sample {
    double seconds;
    uint64_t count;
  };
  double window_;
  uint64_t last_ = 0;
  std::deque<Sample> samples_;  // the first is at least a window old, if there is one so old
};

/// The latest durations, for a histogram and percentiles. One thread.
class LatencyWindow {
 public:
  explicit LatencyWindow(size_t most = 600) : most_(most) {}

  /// Adds a duration in s. Forgets the oldest one if there are more than `most`.
  void add(double seconds);
  void clear() { values_.clear(); }
  size_t count() const { return values_.size(); }

  /// Returns the duration, s, that `share` (0 to 1) of them do not exceed (nearest rank); 0 if
  /// there are none.
  double percentile(double share) const;

  /// Returns the counts in `bins` equal parts of 0 to `most` s. Longer durations count in the last
  /// one.
  std::vector<uint32_t> histogram(size_t bins, double most) const;

 private:
  size_t most_;
  std::deque<double> values_;
};

}  // namespace glint::shell
