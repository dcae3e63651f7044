#include "app/output/report/histogram.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glint::output::report {

void LogHistogram::add(double value) {
  ++count_;
  const double place = (std::log10(value) - kLeastDecade) * kPerDecade;
  if (!(place >= 0)) {
    ++zeros_;
    return;
  }
  ++bins_[static_cast<size_t>(std::min(place, static_cast<double>(bins_.size() - 1)))];
}

double LogHistogram::edge(size_t index) {
  return std::pow(10, kLeastDecade + static_cast<double>(index) / kPerDecade);
}

double LogHistogram::quantile(double share) const {
  const double rank = std::max(1.0, std::ceil(share * static_cast<double>(count_)));
  uint64_t passed = zeros_;
  if (count_ == 0 || static_cast<double>(passed) >= rank) return 0;
  size_t bin = 0;
  while (static_cast<double>(passed += bins_[bin]) < rank) ++bin;
  return std::sqrt(edge(bin) * edge(bin + 1));
}

void PhaseHistogram::add(double coordinate) {
  constexpr double kParts = 10000;
  // Uses floor, because halves must be rounded in the same direction on both sides of 0, unlike by
  // round().
  const double parts = std::floor(coordinate * kParts + 0.5);
  const double phase = parts - kParts * std::floor(parts / kParts);  // 0 to 9999, a whole number
  ++bins_[std::min(static_cast<size_t>(phase) * kBins / static_cast<size_t>(kParts), kBins - 1)];
  ++count_;
  const double angle = 2 * std::numbers::pi * phase / kParts;
  cosines_ += std::cos(angle);
  sines_ += std::sin(angle);
}

double PhaseHistogram::swing() const {
  return count_ == 0 ? 0 : 2 * std::hypot(cosines_, sines_) / static_cast<double>(count_);
}

}  // namespace glint::output::report
