// How late things are: the latest durations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace glint {

/// The latest durations, for a histogram and percentiles. Used by one thread.
class LatencyWindow {
 public:
  explicit LatencyWindow(size_t most = 600) : most_(most) {}

  /// s; the oldest of more than `most` is forgotten.
  void add(double seconds);
  size_t count() const { return values_.size(); }

  /// s that `share` (0 to 1) of them do not exceed (nearest rank); 0 if there are none.
  double percentile(double share) const;

  /// `bins` equal parts of 0 to `most` s; what is more counts in the last one.
  std::vector<uint32_t> histogram(size_t bins, double most) const;

 private:
  size_t most_;
  std::deque<double> values_;
};

}  // namespace glint
