#include "bench/timing.h"

#include <algorithm>
#include <ctime>

namespace glint::bench {
namespace {

void runFor(double seconds, size_t least, size_t most, const std::function<void()>& once) {
  double spent = 0;  // us
  for (size_t i = 0; i < least || (i < most && spent < seconds * 1e6); ++i) spent += wallTime(once);
}

}  // namespace

Duration summarise(std::vector<double> microseconds) {
  if (microseconds.empty()) return {};
  std::sort(microseconds.begin(), microseconds.end());
  const auto rank = [&](double share) {
    return microseconds[static_cast<size_t>(share * double(microseconds.size() - 1) + 0.5)];
  };
  return {rank(0.5), rank(0.1), rank(0.9), microseconds.size()};
}

void repeat(const Effort& effort, const std::function<void(bool count)>& once) {
  runFor(effort.warmUp, 1, SIZE_MAX, [&] { once(false); });
  runFor(effort.measure, 3, 2000, [&] { once(true); });
}

double cpuTime(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace glint::bench
