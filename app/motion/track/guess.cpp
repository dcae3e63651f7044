#include "app/motion/track/guess.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glint::motion {

double Guess::density(double atX, double atY) const {
  const double dx = atX - x, dy = atY - y, det = determinant();
  const double d2 = (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / det;
  const double shape =
      freedom > 0 ? std::pow(1 + d2 / freedom, -(freedom + 2) / 2) : std::exp(-d2 / 2);
  return shape / (2 * std::numbers::pi * std::sqrt(det));
}

void GuessErrors::add(double weight, double x, double y) {
  xx += weight * x * x;
  xy += weight * x * y;
  yy += weight * y * y;
  squares += weight * weight;
}

Guess GuessErrors::around(double x, double y, double minSigma) const {
  const double few = 1 + 2 * squares, least = minSigma * minSigma;
  return {x, y, few * xx + least, few * xy, few * yy + least};
}

Guess GuessErrors::evenlyAround(double x, double y, double minSigma) const {
  const double variance = std::max((1 + 2 * squares) * (xx + yy) / 2, minSigma * minSigma);
  return {x, y, variance, 0, variance};
}

}  // namespace glint::motion
