#include "app/motion/space/chi2.h"

#include <cmath>

namespace glint::motion {

double chi2Limit(int freedom, double sigmas) {
  const double n = freedom, part = 2 / (9 * n);
  const double root = 1 - part + sigmas * std::sqrt(part);
  return n * root * root * root;
}

}  // namespace glint::motion
