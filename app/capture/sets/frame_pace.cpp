#include "app/capture/sets/frame_pace.h"

#include <algorithm>
#include <cmath>

namespace glint::capture {
namespace {

constexpr double kWindow = 2;  // s over which the latest pace is measured
constexpr size_t kMostIntervals = 64;

}  // namespace

void FramePace::Sums::add(double interval, double count) {
  intervals += count;
  seconds += count * interval;
  squares += count * interval * interval;
}

FramePace::Pace FramePace::Sums::pace() const {
  if (seconds <= 0) return {};
  const double mean = seconds / intervals;
  return {.rate = 1 / mean, .jitter = std::sqrt(std::max(squares / intervals - mean * mean, 0.0))};
}

void FramePace::see(double time, uint64_t skipped) {
  const double passed = time - time_;
  time_ = time;
  const bool follows = any_ && passed > 0;
  any_ = true;
  if (!follows) return;
  const double count = static_cast<double>(skipped) + 1;
  window_.push_back({passed / count, count});
  windowSeconds_ += passed;
  all_.add(passed / count, count);
  while (window_.size() > 1 && (windowSeconds_ > kWindow || window_.size() > kMostIntervals)) {
    windowSeconds_ -= window_.front().seconds * window_.front().count;
    window_.pop_front();
  }
}

FramePace::Pace FramePace::latest() const {
  Sums sums;
  for (const Interval& interval : window_) sums.add(interval.seconds, interval.count);
  return sums.pace();
}

}  // namespace glint::capture
