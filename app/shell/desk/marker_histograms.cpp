#include "app/shell/desk/marker_histograms.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glint::shell {
namespace {

/// Returns the largest 1, 2 or 5 times a power of ten that is not above `value` (> 0).
double roundBelow(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {5.0, 2.0})
    if (step * power <= value) return step * power;
  return power;
}

/// Returns the smallest 1, 2 or 5 times a power of ten that is not below `value` (> 0).
double roundAbove(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= value) return step * power;
  return 10 * power;
}

}  // namespace

double MarkerHistogram::place(double value) const {
  if (!logarithmic) return (value - least) / (most - least);
  const double floor = least * 1e-6;  // 0 and negative values have no logarithm
  return std::log(std::max(value, floor) / least) / std::log(most / least);
}

double MarkerHistogram::value(double place) const {
  return logarithmic ? least * std::pow(most / least, place) : least + place * (most - least);
}

void MarkerHistograms::add(std::span<const gpu::LayerMeasurement* const> cameras) {
  const auto take = [&](const shared::Detection& seen, bool found) {
    values_.push_back({seen, found});
  };
  for (const gpu::LayerMeasurement* camera : cameras) {
    for (const auto& marker : camera->markers) take(marker, true);
    for (const gpu::Rejected& rejected : camera->rejected)
      if (rejected.measured) take(rejected.seen, false);
  }
}

size_t MarkerHistograms::found() const {
  const auto count = std::ranges::count_if(values_, [](auto& v) { return v.found; });
  return static_cast<size_t>(count);
}

MarkerHistogram MarkerHistograms::histogram(const gpu::MarkerQuantity& quantity,
                                            size_t bins) const {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Value& value : values_) {
    const double v = quantity.valueOf(value.seen);
    if (!std::isfinite(v)) continue;
    if (v > 0) least = std::min(least, v);
    most = std::max(most, v);
  }
  MarkerHistogram h{.found = std::vector<uint32_t>(bins), .rejected = std::vector<uint32_t>(bins)};
  if (std::isfinite(quantity.greatest)) {
    h.most = quantity.greatest;
  } else if (most > 0) {
    h.logarithmic = quantity.spansDecades && most > 10 * least;
    h.least = h.logarithmic ? roundBelow(least) : 0;
    h.most = roundAbove(most);
  }
  for (const Value& value : values_) {
    const double v = quantity.valueOf(value.seen);
    if (!std::isfinite(v)) continue;
    const double place = std::clamp(h.place(v), 0.0, 1.0) * static_cast<double>(bins);
    ++(value.found ? h.found : h.rejected)[std::min(static_cast<size_t>(place), bins - 1)];
  }
  return h;
}

}  // namespace glint::shell
