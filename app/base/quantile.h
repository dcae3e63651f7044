// Computes medians and other quantiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace glint::base {

/// Returns a value such that `share` (0 to below 1) of the values are below it, or 0 if there are
/// no values. If two values are in the middle, it is the larger one, unlike in quantileOf().
template <class Value>
double upperQuantileOf(std::vector<Value> values, double share) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * double(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return static_cast<double>(*at);
}

/// Returns the median, the larger one if two values are in the middle, or 0 if there are no values.
template <class Value>
double medianOf(std::vector<Value> values) {
  return upperQuantileOf(std::move(values), 0.5);
}

/// Returns a value such that `share` (0 to 1) of the other values are below it, or 0 if there are
/// no values. If two values are in the middle, it is the smaller one.
template <class Value>
double quantileOf(std::vector<Value> values, double share) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return static_cast<double>(*at);
}

}  // namespace glint::base
