// How often things happen.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>

namespace glint::ui {

/// From a count that grows: its growth a second, over the last second or so.
class Rate {
 public:
  using Clock = std::chrono::steady_clock;

  void see(uint64_t count, Clock::time_point now) {
    if (!seen_.empty() && (count < seen_.back().second)) seen_.clear();
    if (seen_.empty() || now - seen_.back().first >= std::chrono::milliseconds(50))
      seen_.emplace_back(now, count);
    while (seen_.size() > 2 && now - seen_[1].first >= std::chrono::seconds(1)) seen_.pop_front();
  }
  double perSecond() const {
    if (seen_.size() < 2) return 0;
    const std::chrono::duration<double> time = seen_.back().first - seen_.front().first;
    return static_cast<double>(seen_.back().second - seen_.front().second) / time.count();
  }

 private:
  std::deque<std::pair<Clock::time_point, uint64_t>> seen_;
};

}  // namespace glint::ui
