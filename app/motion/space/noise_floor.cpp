#include "app/motion/space/noise_floor.h"

#include <algorithm>
#include <cmath>

#include "app/base/quantile.h"

namespace glint::motion {
namespace {

// Returns the ratio of chi squared values with two degrees of freedom to the expected ones, judged
// by the value that `share` of them do not exceed.
double excess(const std::vector<double>& chi2, double share) {
  return base::upperQuantileOf(chi2, share) / (-2 * std::log(1 - share));
}

}  // namespace

void NoiseFloor::add(size_t camera, double chi2, double known) {
  Camera& c = cameras_[camera];
  c.chi2.push_back(chi2);
  c.known += known;
}

void NoiseFloor::learn() {
  for (Camera& c : cameras_) {
    if (c.chi2.size() <
        (c.rounds < options_.firstRounds ? options_.firstRoundDots : options_.roundDots))
      continue;
    const double known = c.known / static_cast<double>(c.chi2.size());
    const double factor =
        std::min(excess(c.chi2, options_.share), options_.tail * excess(c.chi2, 0.5));
    const double now = factor * (known + c.variance) - known;
    // The first rounds have little weight. Earlier rounds are forgotten if wider gates let wrong
    // dots in.
    if (known + now < options_.forgets * (known + c.raw))
      c.rounds = std::min(c.rounds, options_.firstRounds);
    const int mean = std::max(1, ++c.rounds - options_.firstRounds);
    c.raw += std::max(options_.minGain, 1.0 / mean) * (now - c.raw);
    c.variance = std::max(0.0, c.raw);
    c.known = 0;
    c.chi2.clear();
  }
}

}  // namespace glint::motion
