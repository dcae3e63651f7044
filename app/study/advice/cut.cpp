#include "app/study/advice/cut.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace glint::study {

Cut cutOf(std::vector<double> markers, std::vector<double> decoys, size_t frames, double floor,
          const CutOptions& options) {
  std::sort(markers.begin(), markers.end(), std::greater());
  std::sort(decoys.begin(), decoys.end(), std::greater());
  const double strongest = std::max(decoys.empty() ? 0 : decoys.front(), floor);
  const auto each = static_cast<double>(std::max<size_t>(frames, 1));
  const auto decoysFrom = [&](double strength) {
    return static_cast<size_t>(
        std::upper_bound(decoys.begin(), decoys.end(), strength, std::greater()) - decoys.begin());
  };
  double greatest = 0;
  size_t count = 0;
  bool sure = false;
  for (size_t i = 0; i < markers.size(); ++i) {
    if (i + 1 < markers.size() && markers[i + 1] == markers[i]) continue;
    const double sum = (static_cast<double>(i + 1) -
                        options.decoyWeight * static_cast<double>(decoysFrom(markers[i]))) /
                       each;
    const bool surely = sum >= options.sureSum || markers[i] >= options.sureRatio * strongest;
    if (sum <= 0 || (sure && !surely) || (sure == surely && sum <= greatest)) continue;
    count = i + 1;
    sure = surely;
    greatest = sum;
  }
  if (count == 0) return {};
  for (const CutOptions::Gap& gap : options.gaps) {
    const auto bulk = static_cast<size_t>(std::ceil((1 - gap.share) * static_cast<double>(count)));
    double widest = gap.ratio;
    for (size_t i = count - 1; i > 0 && i >= bulk; --i) {
      if (markers[i - 1] < widest * markers[i]) continue;
      widest = markers[i - 1] / markers[i];
      count = i;
    }
  }
  const double faintest = markers[count - 1];
  const size_t passed = decoysFrom(faintest);
  const double nextMarker = count < markers.size() ? markers[count] : 0;
  const double nextDecoy = passed < decoys.size() ? decoys[passed] : 0;
  return {faintest, std::max(nextMarker, nextDecoy), static_cast<double>(count) / each,
          static_cast<double>(passed) / each, sure};
}

}  // namespace glint::study
