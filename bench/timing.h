// Measures durations of work that is repeated.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

namespace glint::bench {

/// The distribution of repeated measurements of one duration, us.
struct Duration {
  double median = 0;
  double p10 = 0, p90 = 0;  ///< 10th and 90th percentile
  size_t count = 0;         ///< number of measurements; if 0, all members are 0
};

/// Returns the percentiles of measurements, by the nearest rank.
Duration summarise(std::vector<double> microseconds);

/// The time to spend on one measurement.
struct Effort {
  double warmUp = 0.1;   ///< s before measuring; at least one run
  double measure = 0.3;  ///< s of measuring; at least three runs, at most 2000
};

/// Runs `once` again and again, first for `effort.warmUp` with `count` false, then for
/// `effort.measure` with `count` true.
void repeat(const Effort& effort, const std::function<void(bool count)>& once);

/// Runs `work` and returns the processor time that it takes, of all threads of the process, us.
double cpuTime(const std::function<void()>& work);

/// Runs `work` and returns the time that it takes by the wall clock, us.
template <class Work>
double wallTime(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace glint::bench
