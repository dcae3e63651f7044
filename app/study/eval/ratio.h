#pragma once

#include <limits>

namespace glint::study {

/// NaN where `whole` is 0.
inline double ratio(double part, double whole) {
  return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace glint::study
