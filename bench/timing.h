// Durations of something that is done again and again.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

namespace glint::bench {

/// What repeated measurements of one duration say, us.
struct Duration {
  double median = 0;
  double p10 = 0, p90 = 0;  ///< 10th and 90th percentile
  size_t count = 0;         ///< measurements; all zero if there are none
};

/// Percentiles by the nearest rank.
Duration summarise(std::vector<double> microseconds);

/// How long to go on.
struct Effort {
  double warmUp = 0.1;   ///< s, not counted; at least one run
  double measure = 0.3;  ///< s; at least three runs, at most 2000
};

/// Runs `once` until the effort is spent; `count` is told which of its runs count.
void repeat(const Effort& effort, const std::function<void(bool count)>& once);

/// Microseconds of the processor that `work` takes, of all threads of the process.
double cpuTime(const std::function<void()>& work);

/// Microseconds that `work` takes by the wall clock.
template <class Work>
double wallTime(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace glint::bench
