// Quantiles of a few values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace glint::motion {

/// The value that `share` (0 to 1) of the others are below; 0 where there is none.
template <class Value>
double quantileOf(std::vector<Value> values, double share = 0.5) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return static_cast<double>(*at);
}

}  // namespace glint::motion
