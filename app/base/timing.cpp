#include "app/base/timing.h"

#include <algorithm>
#include <cmath>

namespace glint::base {

namespace {
constexpr double kLeast = 0.1;  // us
}

void TimeHistogram::add(double microseconds) {
  const double octaves = std::log2(std::max(microseconds, kLeast) / kLeast);
  const auto bucket = static_cast<size_t>(octaves * kPerOctave);
  ++buckets_[std::min(bucket, buckets_.size() - 1)];
  ++count_;
}

double TimeHistogram::percentile(double share) const {
  const auto wanted = static_cast<uint64_t>(std::ceil(share * static_cast<double>(count_)));
  uint64_t seen = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= wanted && seen > 0) {
      return kLeast * std::exp2((static_cast<double>(i) + 0.5) / kPerOctave);
    }
  }
  return 0;
}

}  // namespace glint::base
