#include "app/study/advice/pairs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/detect/limits.h"

namespace glint::study {

size_t pairsWithin(std::span<const shared::Detection> markers, double separation,
                   const PairOptions& options) {
  std::vector<const shared::Detection*> byX;
  for (const shared::Detection& d : markers)
    if (d.elongation > 0 && d.elongation < gpu::kRound &&
        !gpu::isFaint(d, options.leastSignificance))
      byX.push_back(&d);
  std::sort(byX.begin(), byX.end(), [](const auto* a, const auto* b) { return a->x < b->x; });
  size_t pairs = 0;
  for (size_t i = 0; i < byX.size(); ++i) {
    const shared::Detection& a = *byX[i];
    for (size_t k = i + 1; k < byX.size() && double{byX[k]->x} - double{a.x} < separation; ++k) {
      const shared::Detection& b = *byX[k];
      const double away = std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y});
      if (away >= separation || away <= double{a.extent} + double{b.extent}) continue;
      if (std::min(a.mass, b.mass) < options.leastMassShare * double{std::max(a.mass, b.mass)})
        continue;
      ++pairs;
    }
  }
  return pairs;
}

}  // namespace glint::study
