#include "app/motion/track/appearance.h"

#include <algorithm>
#include <cmath>

namespace glint::motion {
namespace {

// Returns the cost, in nats, of the logarithm of a / b having a normal distribution with the
// standard deviation `spread`. Returns 0 if a value is unknown.
double ratioCost(double a, double b, double spread) {
  if (!(a > 0 && b > 0)) return 0;
  const double z = std::log(a / b) / spread;
  return z * z / 2;
}

}  // namespace

double appearanceCost(const Observation& a, const Observation& b, const MatchingOptions& options) {
  const double mass = ratioCost(a.mass, b.mass, options.appearanceSpread);
  const double radius = ratioCost(a.radius, b.radius, options.appearanceSpread);
  const double most = options.maxAppearanceCost, other = options.otherMassCost;
  const double far = mass > other ? 2 * most * std::log(mass / other) : 0;
  return std::min(mass, most) + far + std::min(radius, most);
}

}  // namespace glint::motion
