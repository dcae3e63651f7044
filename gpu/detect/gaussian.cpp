#include "gpu/detect/gaussian.h"

#include <cmath>

namespace glint::gpu {

std::vector<uint32_t> gaussianTaps(double sigma) {
  const auto reach = static_cast<size_t>(std::ceil(3 * sigma));
  std::vector<double> g;
  double sum = 0;
  for (size_t i = 0; i <= reach; ++i) {
    const auto x = static_cast<double>(i);
    g.push_back(std::exp(-x * x / (2 * sigma * sigma)));
    sum += i == 0 ? g[i] : 2 * g[i];
  }
  std::vector<uint32_t> taps{65536};
  for (size_t i = 1; i <= reach; ++i) {
    taps.push_back(static_cast<uint32_t>(std::lround(65536 * g[i] / sum)));
    taps[0] -= 2 * taps[i];
  }
  return taps;
}

}  // namespace glint::gpu
