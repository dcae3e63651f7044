// How fast things go: camera, processing, display, and how late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace glint::shell {

/// Events a second, over the last seconds. Used by one thread; times are those of a clock that
/// never goes back.
class RateMeter {
 public:
  explicit RateMeter(double window = 2) : window_(window) {}  ///< s

  /// `count` events have happened in all, as of `seconds`; going back starts again.
  void update(double seconds, uint64_t count);
  /// One event more.
  void event(double seconds) { update(seconds, last_ + 1); }

  /// Events a second as of `seconds`: 0 once nothing has happened for the window.
  double rate(double seconds) const;

 private:
  struct Sample {
    double seconds;
    uint64_t count;
  };
  double window_;
  uint64_t last_ = 0;
  std::deque<Sample> samples_;  // the first at least a window back, if there is one
};

/// The latest durations, for a histogram and percentiles. Used by one thread.
class LatencyWindow {
 public:
  explicit LatencyWindow(size_t most = 600) : most_(most) {}

  /// s; the oldest of more than `most` is forgotten.
  void add(double seconds);
  void clear() { values_.clear(); }
  size_t count() const { return values_.size(); }

  /// s that `share` (0 to 1) of them do not exceed (nearest rank); 0 if there are none.
  double percentile(double share) const;

  /// `bins` equal parts of 0 to `most` s; what is more counts in the last one.
  std::vector<uint32_t> histogram(size_t bins, double most) const;

 private:
  size_t most_;
  std::deque<double> values_;
};

}  // namespace glint::shell
