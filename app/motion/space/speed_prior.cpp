#include "app/motion/space/speed_prior.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glint::motion {

SpeedPrior::SpeedPrior(const SpeedPriorOptions& options, double limit) : limit_(limit) {
  // Two standard deviations are the limit.
  const double greatest = limit > 0 ? limit / 2 : options.fastest;
  for (double sigma = options.slowest; sigma < greatest; sigma *= options.ratio)
    sigmas_.push_back(sigma);
  sigmas_.push_back(greatest);
  double count = options.priorTracks;
  for (size_t i = 0; i < sigmas_.size(); ++i, count *= options.fasterShare)
    counts_.push_back(count);
  total_ = std::accumulate(counts_.begin(), counts_.end(), 0.0);
}

void SpeedPrior::learn(const Eigen::Vector3d& velocity) {
  // The likeliest class has the standard deviation that is next to the rms of the three components.
  const double rms = velocity.norm() / std::sqrt(3.0);
  size_t likeliest = 0;
  double best = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < sigmas_.size(); ++i) {
    const double ratio = rms / sigmas_[i];
    const double likelihood = -3 * std::log(sigmas_[i]) - 1.5 * ratio * ratio;
    if (likelihood <= best) continue;
    best = likelihood;
    likeliest = i;
  }
  ++counts_[likeliest];
  ++total_;
}

}  // namespace glint::motion
