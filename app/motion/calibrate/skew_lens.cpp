#include "app/motion/calibrate/skew_lens.h"

#include <algorithm>
#include <cmath>

#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/bundle_covariance.h"
#include "app/motion/calibrate/figures.h"

namespace glint::motion {
namespace {

/// Returns the bundle with at most 300 items, spread evenly. They give enough certainty.
Bundle fewItemsOf(const Bundle& bundle) {
  constexpr size_t kMost = 300;
  const size_t step = (bundle.items.size() + kMost - 1) / kMost;
  if (step < 2) return bundle;
  Bundle few = bundle;
  few.items.clear();
  few.sights.clear();
  for (size_t i = 0; i < bundle.items.size(); i += step) few.items.push_back(bundle.items[i]);
  for (BundleSight sight : bundle.sights) {
    if (sight.item % step != 0) continue;
    sight.item /= step;
    few.sights.push_back(sight);
  }
  return few;
}

}  // namespace

std::optional<size_t> skewLens(const Bundle& bundle) {
  // Number of standard deviations by which p1 or p2 must differ. It is higher than usual because
  // the most significant of several numbers is taken. Raising it misses lenses that are less skew.
  constexpr double kSure = 6;
  // Number of steps. So few suffice because the bundle is fitted already.
  constexpr int kFewSteps = 10;
  Bundle freed = fewItemsOf(bundle);
  for (BundleCamera& camera : freed.cameras)
    camera.free[tangential1] = camera.free[tangential2] = true;
  const double scale = std::max(1.0, misfitOf(bundle));
  adjust(freed, kFewSteps, kHuber * scale);
  const auto covariance = covarianceOf(freed);
  if (!covariance) return std::nullopt;
  std::optional<size_t> skew;
  double surest = kSure;
  for (size_t c = 0; c < freed.cameras.size(); ++c) {
    const Lens &now = freed.cameras[c].lens, &held = bundle.cameras[c].lens;
    const auto at = [&](LensNumber number) {
      return static_cast<Eigen::Index>(c) * kBundleNumbers + static_cast<Eigen::Index>(number);
    };
    const auto sure = [&](double off, LensNumber number) {
      return std::abs(off) / (scale * std::sqrt((*covariance)(at(number), at(number))));
    };
    const double most =
        std::max(sure(now.p1 - held.p1, tangential1), sure(now.p2 - held.p2, tangential2));
    if (most > surest) surest = most, skew = c;
  }
  return skew;
}

}  // namespace glint::motion
