// Measures durations, and collects them in memory that does not grow.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace glint::base {

/// Returns the microseconds from `start` to now.
inline double microsecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Counts durations in buckets that are a 64th of an octave (1.1 %) wide, from 0.1 us to 100 s.
class TimeHistogram {
 public:
  void add(double microseconds);

  /// Returns the duration, us, that `share` (0 to 1) of all durations do not exceed; 0 if there are
  /// none.
  double percentile(double share) const;
  uint64_t count() const { return count_; }

 private:
  static constexpr int kPerOctave = 64;
  static constexpr int kOctaves = 30;
  std::array<uint64_t, size_t{kPerOctave} * kOctaves> buckets_{};
  uint64_t count_ = 0;
};

}  // namespace glint::base
