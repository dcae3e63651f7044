#include "app/shell/desk/rates.h"

#include <algorithm>
#include <cmath>

namespace glint::shell {

void RateMeter::update(double seconds, uint64_t count) {
  if (count < last_) samples_.clear();
  last_ = count;
  if (!samples_.empty() && samples_.back().count == count) return;  // nothing has happened
  samples_.push_back({seconds, count});
  while (samples_.size() > 2 && samples_[1].seconds <= seconds - window_) samples_.pop_front();
}

double RateMeter::rate(double seconds) const {
  if (samples_.size() < 2 || samples_.back().seconds < seconds - window_) return 0;
  const double span = samples_.back().seconds - samples_.front().seconds;
  if (span <= 0) return 0;
  return static_cast<double>(samples_.back().count - samples_.front().count) / span;
}

void LatencyWindow::add(double seconds) {
  values_.push_back(seconds);
  while (values_.size() > most_) values_.pop_front();
}

double LatencyWindow::percentile(double share) const {
  if (values_.empty()) return 0;
  std::vector<double> sorted(values_.begin(), values_.end());
  const double rank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size()));
  const auto nth = sorted.begin() + static_cast<ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(sorted.begin(), nth, sorted.end());
  return *nth;
}

std::vector<uint32_t> LatencyWindow::histogram(size_t bins, double most) const {
  std::vector<uint32_t> counts(bins);
  for (const double value : values_) {
    const double place = std::max(value, 0.0) / most * static_cast<double>(bins);
    ++counts[static_cast<size_t>(std::min(place, static_cast<double>(bins - 1)))];
  }
  return counts;
}

}  // namespace glint::shell
