#include "app/shell/desk/marker_histograms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/setting_key.h"
namespace glint::shell {
namespace {

size_t indexOf(MarkerQuantity quantity) {
  return static_cast<size_t>(quantity);
}

/// 1, 2 or 5 times a power of ten, not above `value` > 0.
double roundBelow(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {5.0, 2.0})
    if (step * power <= value) return step * power;
  return power;
}

/// The same, not below it.
double roundAbove(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= value) return step * power;
  return 10 * power;
}

}  // namespace

std::string_view nameOf(MarkerQuantity quantity) {
  constexpr std::array<std::string_view, 4> kNames{"mass", "radius", "eccentricity",
                                                   "significance"};
  return kNames[indexOf(quantity)];
}

std::string_view unitOf(MarkerQuantity quantity) {
  constexpr std::array<std::string_view, 4> kUnits{"counts", "px", "", "stddev"};
  return kUnits[indexOf(quantity)];
}

LimitKeys limitsOf(MarkerQuantity quantity) {
  constexpr std::array<LimitKeys, 4> kKeys{{{"detect.min_mass"_key, ""},
                                            {"detect.min_radius"_key, "detect.max_radius"_key},
                                            {"", "detect.max_eccentricity"_key},
                                            {"detect.min_significance"_key, ""}}};
  return kKeys[indexOf(quantity)];
}

double valueOf(MarkerQuantity quantity, const shared::Detection& d) {
  switch (quantity) {
    case MarkerQuantity::mass:
      return d.mass;
    case MarkerQuantity::radius:
      return d.radius;
    case MarkerQuantity::eccentricity:
      return d.eccentricity;
    case MarkerQuantity::significance:
      return gpu::significanceOf(d);
  }
  return 0;
}

double MarkerHistogram::place(double value) const {
  if (!logarithmic) return (value - least) / (most - least);
  const double floor = least * 1e-6;  // of 0 and less there is no logarithm
  return std::log(std::max(value, floor) / least) / std::log(most / least);
}

double MarkerHistogram::value(double place) const {
  return logarithmic ? least * std::pow(most / least, place) : least + place * (most - least);
}

void MarkerHistograms::add(std::span<const gpu::LayerMeasurement* const> cameras) {
  const auto take = [&](const shared::Detection& seen, bool found) {
    Value& value = values_.emplace_back(Value{.found = found});
    for (const MarkerQuantity q : kMarkerQuantities) value.of[indexOf(q)] = valueOf(q, seen);
  };
  for (const gpu::LayerMeasurement* camera : cameras) {
    for (const auto& marker : camera->markers) take(marker, true);
    for (const gpu::Rejected& rejected : camera->rejected)
      if (rejected.measured) take(rejected.seen, false);
  }
}

size_t MarkerHistograms::found() const {
  const auto count = std::count_if(values_.begin(), values_.end(), [](auto& v) { return v.found; });
  return static_cast<size_t>(count);
}

MarkerHistogram MarkerHistograms::histogram(MarkerQuantity quantity, size_t bins) const {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Value& value : values_) {
    const double v = value.of[indexOf(quantity)];
    if (!std::isfinite(v)) continue;
    if (v > 0) least = std::min(least, v);
    most = std::max(most, v);
  }
  MarkerHistogram h{.found = std::vector<uint32_t>(bins), .rejected = std::vector<uint32_t>(bins)};
  if (quantity != MarkerQuantity::eccentricity && most > 0) {
    h.logarithmic = quantity == MarkerQuantity::mass && most > 10 * least;
    h.least = h.logarithmic ? roundBelow(least) : 0;
    h.most = roundAbove(most);
  }
  for (const Value& value : values_) {
    const double v = value.of[indexOf(quantity)];
    if (!std::isfinite(v)) continue;
    const double place = std::clamp(h.place(v), 0.0, 1.0) * static_cast<double>(bins);
    ++(value.found ? h.found : h.rejected)[std::min(static_cast<size_t>(place), bins - 1)];
  }
  return h;
}

}  // namespace glint::shell
