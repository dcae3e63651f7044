#include "app/motion/space/noise_floor.h"

#include <algorithm>
#include <cmath>

namespace glint::motion {
namespace {

constexpr size_t kRound = 100, kFirstRound = 12;  // dots
constexpr int kFirstRounds = 6;
constexpr double kLeastGain = 0.05;  // of a round's mean: some thousands of dots
// Markers that touch or hide lie far out; nine tenths of the dots say what the noise is. While
// there are ghosts, too, not even these: but half of the dots do within a factor.
constexpr double kMost = 0.9, kHalf = 0.5, kTail = 4;
constexpr double kForgets = 0.5;

/// Of chi squared values with two degrees of freedom: what they are against what is expected, by
/// the value that a share of them does not exceed.
double excess(std::vector<double>& chi2, double share) {
  const auto at =
      chi2.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(chi2.size()));
  std::nth_element(chi2.begin(), at, chi2.end());
  return *at / (-2 * std::log(1 - share));
}

}  // namespace

void NoiseFloor::add(size_t camera, double chi2, double known) {
  Camera& c = cameras_[camera];
  c.chi2.push_back(chi2);
  c.known += known;
}

void NoiseFloor::learn() {
  for (Camera& c : cameras_) {
    if (c.chi2.size() < (c.rounds < kFirstRounds ? kFirstRound : kRound)) continue;
    const double known = c.known / static_cast<double>(c.chi2.size());
    const double factor = std::min(excess(c.chi2, kMost), kTail * excess(c.chi2, kHalf));
    const double now = factor * (known + c.variance) - known;
    // The first rounds count for little, and so does what wider gates let in before.
    if (known + now < kForgets * (known + c.raw)) c.rounds = std::min(c.rounds, kFirstRounds);
    const int mean = std::max(1, ++c.rounds - kFirstRounds);
    c.raw += std::max(kLeastGain, 1.0 / mean) * (now - c.raw);
    c.variance = std::max(0.0, c.raw);
    c.known = 0;
    c.chi2.clear();
  }
}

}  // namespace glint::motion
