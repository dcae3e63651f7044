#include "app/capture/source/clock_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glint::capture {

std::string clockJumped(const std::string& source) {
  return fmt::format(
      "the clock of '{}' has jumped: its times are matched to this host's clock again", source);
}

void ClockMap::begin(double own, double arrival) {
  least_.fill(std::nullopt);
  offset_ = arrival - own;
  begun_ = arrival;
}

void ClockMap::note(double difference, double arrival) {
  const auto bucket = static_cast<int64_t>(std::floor(arrival / kBucket));
  const int64_t passed = std::min<int64_t>(bucket - bucket_, kBuckets);
  for (int64_t i = 0; i < passed; ++i)
    least_[static_cast<size_t>(bucket - i) % kBuckets] = std::nullopt;
  bucket_ = bucket;
  auto& least = least_[static_cast<size_t>(bucket) % kBuckets];
  least = std::min(least.value_or(difference), difference);
}

double ClockMap::least() const {
  std::optional<double> all;
  for (const auto& one : least_)
    if (one) all = std::min(all.value_or(*one), *one);
  return all.value_or(0);
}

double ClockMap::uncertainty() const {
  double most = 0;
  int whole = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    // The present bucket is left out, because it is not complete.
    if (!least_[i] || i == static_cast<size_t>(bucket_) % kBuckets) continue;
    most = std::max(most, *least_[i] - least());
    ++whole;
  }
  return whole < options_.minStretches ? 0 : 2 * most + std::abs(*offset_ - least());
}

double ClockMap::toHost(double own, double arrival) {
  const double step = own - own_, passed = arrival - arrival_;
  if (!offset_) {
    begin(own, arrival);
  } else if (step < 0 || step > passed + options_.jump) {
    ++jumps_;
    begin(own, arrival);
  }
  note(arrival - own, arrival);
  own_ = own;
  arrival_ = arrival;
  const double most = options_.slew * std::max(step, 0.0);
  const double back = arrival - begun_ < kBucket ? HUGE_VAL : most;
  *offset_ += std::clamp(least() - *offset_, -back, most);
  return std::min(own + *offset_, arrival);
}

}  // namespace glint::capture
