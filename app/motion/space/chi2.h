// Limits for chi-squared tests.
#pragma once

#include <cmath>

namespace glint::motion {

/// Returns the value that chi squared with `freedom` >= 1 degrees of freedom exceeds with the same
/// probability as a normal number exceeds `sigmas` standard deviations (Wilson and Hilferty, The
/// distribution of chi-square, 1931).
inline double chi2Limit(int freedom, double sigmas) {
  const double n = freedom, part = 2 / (9 * n);
  const double root = 1 - part + sigmas * std::sqrt(part);
  return n * root * root * root;
}

}  // namespace glint::motion
